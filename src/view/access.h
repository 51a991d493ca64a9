// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who may ask.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "juxta/core/error.h"

namespace juxta::view_detail {

/// What of a request says where it comes from. Empty: the header is not there.
struct Credentials {
  std::string_view host, origin;
  std::string_view authorization;  ///< "Bearer ...".
  std::string_view target;         ///< "/ws?token=...".
};

/// The door of one server.
///
/// A page of another site can make your browser send requests here. It cannot choose their Host, which names
/// the site that the browser believes to speak to (and so ends DNS rebinding), nor their Origin. Both must
/// name this server.
class Access {
 public:
  /// `local`: the address is of this machine alone. An empty token: none is asked for.
  Access(std::string address, std::uint16_t port, bool local, std::string token);

  /// Why a request is refused, or empty: it may ask. Pages themselves are public and need no token; what is
  /// told and done is behind /api/ and /ws.
  [[nodiscard]] std::string_view refusal(const Credentials& of) const;

 private:
  [[nodiscard]] bool names_us(std::string_view authority) const;
  [[nodiscard]] bool knows_token(const Credentials& of) const;

  std::string address_, port_, token_;
  bool local_;
};

/// Errors: kInvalidArgument (other letters than a to z, A to Z, 0 to 9, - and _; longer than 128).
[[nodiscard]] Result<void> check_token(std::string_view token);

/// "/ws" of "/ws?token=...".
[[nodiscard]] std::string_view path_of(std::string_view target);

}  // namespace juxta::view_detail
