// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/access.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace juxta::view_detail {
namespace {

bool is_token_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// Takes as long whatever differs, so that no clock tells how much of a guess was right.
bool same_secret(std::string_view guess, std::string_view secret) {
  unsigned differs = guess.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < guess.size() && !secret.empty(); ++i) {
    differs |= static_cast<unsigned char>(guess[i]) ^ static_cast<unsigned char>(secret[i % secret.size()]);
  }
  return differs == 0;
}

/// "abc" of "/ws?token=abc&x=1".
std::string_view token_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  std::string_view rest = mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    if (pair.starts_with("token=")) {
      return pair.substr(6);
    }
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
  }
  return {};
}

}  // namespace

Access::Access(std::string address, std::uint16_t port, bool local, std::string token)
    : address_(std::move(address)), port_(std::to_string(port)), token_(std::move(token)), local_(local) {
  if (address_.find(':') != std::string::npos) {
    address_ = '[' + address_ + ']';  // of IPv6, as it stands in a URL
  }
}

bool Access::names_us(std::string_view authority) const {
  const std::size_t colon = authority.rfind(':');
  const std::size_t bracket = authority.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  const std::string_view name = has_port ? authority.substr(0, colon) : authority;
  const std::string_view port = has_port ? authority.substr(colon + 1) : std::string_view("80");
  if (port != port_) {
    return false;
  }
  if (local_) {
    return name == address_ || name == "localhost" || name == "127.0.0.1" || name == "[::1]";
  }
  // On all addresses of a machine, any name may be one of its own: there the token is what counts.
  return name == address_ || address_ == "0.0.0.0" || address_ == "[::]";
}

bool Access::knows_token(const Credentials& of) const {
  constexpr std::string_view kBearer = "Bearer ";
  return token_.empty() || same_secret(token_of(of.target), token_) ||
         (of.authorization.starts_with(kBearer) &&
          same_secret(of.authorization.substr(kBearer.size()), token_));
}

std::string_view Access::refusal(const Credentials& of) const {
  if (!names_us(of.host)) {
    return "Host does not name this server: use the address that it printed";
  }
  constexpr std::string_view kScheme = "http://";
  if (!of.origin.empty() &&
      !(of.origin.starts_with(kScheme) && of.origin.substr(kScheme.size()) == of.host)) {
    return "Origin is another site: only pages of this server may ask";
  }
  const std::string_view path = path_of(of.target);
  if ((path == "/ws" || path.starts_with("/api/")) && !knows_token(of)) {
    return "the token is missing or wrong: use the address that the server printed";
  }
  return {};
}

Result<void> check_token(std::string_view token) {
  if (token.size() > 128 || !std::ranges::all_of(token, is_token_letter)) {
    return fail(ErrorCode::kInvalidArgument,
                "a token has up to 128 letters of a to z, A to Z, 0 to 9, - and _");
  }
  return {};
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

}  // namespace juxta::view_detail
