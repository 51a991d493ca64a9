// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   accessor: count elements of one type --> buffer view: offset, length, stride --> buffer
//   sparse: index[k] and value[k], each in a view of its own, replace element index[k]
#include <algorithm>
#include <bit>
#include <optional>
#include <span>

#include "files/gltf_scene.h"
#include "juxta/core/try.h"

namespace juxta::files_detail {
namespace {

enum Component { kByte = 5120, kUByte = 5121, kShort = 5122, kUShort = 5123, kUInt = 5125, kFloat = 5126 };

std::size_t size_of(int component) noexcept {
  return component == kByte || component == kUByte     ? 1
         : component == kShort || component == kUShort ? 2
         : component == kUInt || component == kFloat   ? 4
                                                       : 0;
}

bool is_whole(int component) noexcept {
  return component == kUByte || component == kUShort || component == kUInt;
}

/// Little-endian, on any machine.
std::uint32_t bits(const unsigned char* bytes, std::size_t size) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

/// A component as a float; integers are normalised.
float number(const unsigned char* bytes, int component) noexcept {
  const std::uint32_t raw = bits(bytes, size_of(component));
  switch (component) {
    case kByte:
      return std::max(static_cast<float>(static_cast<std::int8_t>(raw)) / 127.0F, -1.0F);
    case kUByte:
      return static_cast<float>(raw) / 255.0F;
    case kShort:
      return std::max(static_cast<float>(static_cast<std::int16_t>(raw)) / 32767.0F, -1.0F);
    case kUShort:
      return static_cast<float>(raw) / 65535.0F;
    default:
      return std::bit_cast<float>(raw);
  }
}

/// Elements in a buffer: element i begins at first + i * stride.
struct Elements {
  const unsigned char* first = nullptr;
  std::size_t stride = 0;

  [[nodiscard]] const unsigned char* at(std::size_t i) const noexcept { return first + i * stride; }
};

/// Reads one accessor, and remembers how to complain.
class Reader {
 public:
  Reader(const GltfDocument& document, int accessor, const std::string& who)
      : document_(document), who_(who + ": " + gltf_label("accessor", static_cast<std::size_t>(accessor))) {}

  [[nodiscard]] tl::unexpected<Error> wrong(const std::string& what,
                                            ErrorCode code = ErrorCode::kParse) const {
    return fail(code, who_ + " " + what);
  }

  /// `count` elements of `size` bytes from `offset` on in a view; all of them lie in its buffer.
  [[nodiscard]] Result<Elements> find(int view_index, std::size_t offset, std::size_t count, std::size_t size,
                                      bool strided) const {
    if (!is_one_of(view_index, document_.views.size())) {
      return wrong("names buffer view " + std::to_string(view_index) + ", and the file has " +
                   std::to_string(document_.views.size()));
    }
    const RawView& view = document_.views[static_cast<std::size_t>(view_index)];
    const std::string name = gltf_label("buffer view", static_cast<std::size_t>(view_index));
    if (!is_one_of(view.buffer, document_.buffers.size())) {
      return wrong("lies in " + name + ", which names buffer " + std::to_string(view.buffer) +
                   ", and the file has " + std::to_string(document_.buffers.size()));
    }
    const auto& buffer = document_.buffers[static_cast<std::size_t>(view.buffer)];
    if (view.offset > buffer.size() || view.length > buffer.size() - view.offset) {
      return wrong("lies in " + name + ", which ends behind buffer " + std::to_string(view.buffer) + " of " +
                   std::to_string(buffer.size()) + " bytes");
    }
    const std::size_t stride = strided && view.stride != 0 ? view.stride : size;
    if (stride < size || stride == 0) {
      return wrong("has elements of " + std::to_string(size) + " bytes, and " + name + " has a stride of " +
                   std::to_string(stride));
    }
    if (offset > view.length ||
        (count != 0 && (view.length - offset < size || (view.length - offset - size) / stride < count - 1))) {
      return wrong("ends behind " + name + " of " + std::to_string(view.length) + " bytes");
    }
    return Elements{buffer.data() + view.offset + offset, stride};
  }

  /// The first `count` elements, each number as convert(its bytes), sparse ones replaced. Memory is taken
  /// when the range is known to be there.
  template <class T, class Convert>
  [[nodiscard]] Result<std::vector<T>> read(const RawAccessor& accessor, std::size_t count,
                                            Convert convert) const {
    const auto width = static_cast<std::size_t>(accessor.width);
    const std::size_t size = size_of(accessor.component);
    std::vector<T> out;
    if (accessor.view != kNoIndex) {
      JUXTA_TRY_LET(const auto elements,
                    find(accessor.view, accessor.offset, accessor.count, size * width, true));
      out.reserve(count * width);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t n = 0; n < width; ++n) {
          out.push_back(convert(elements.at(i) + n * size));
        }
      }
    } else {
      out.resize(count * width);
    }
    if (accessor.sparse != 0) {
      JUXTA_TRY(replace_sparse(accessor, std::span<T>(out), convert));
    }
    return out;
  }

 private:
  template <class T, class Convert>
  [[nodiscard]] Result<void> replace_sparse(const RawAccessor& accessor, std::span<T> out,
                                            Convert convert) const {
    const std::size_t index_size = size_of(accessor.index_component);
    if (!is_whole(accessor.index_component)) {
      return wrong("has sparse indices of component type " + std::to_string(accessor.index_component) +
                   ": it must be 5121, 5123 or 5125");
    }
    const auto width = static_cast<std::size_t>(accessor.width);
    const std::size_t size = size_of(accessor.component);
    const auto offset = [](int value) { return static_cast<std::size_t>(value); };
    JUXTA_TRY_LET(auto indices, find(accessor.index_view, offset(accessor.index_offset), accessor.sparse,
                                     index_size, false));
    JUXTA_TRY_LET(auto values, find(accessor.value_view, offset(accessor.value_offset), accessor.sparse,
                                    size * width, false));
    std::uint64_t least = 0;
    for (std::size_t k = 0; k < accessor.sparse; ++k) {
      const std::uint64_t index = bits(indices.at(k), index_size);
      if (index < least || index >= accessor.count) {
        return wrong("replaces element " + std::to_string(index) + " of " + std::to_string(accessor.count) +
                     ": sparse indices must rise and stay below 'count'");
      }
      least = index + 1;
      for (std::size_t n = 0; n < width && index * width < out.size(); ++n) {
        out[index * width + n] = convert(values.at(k) + n * size);
      }
    }
    return {};
  }

  const GltfDocument& document_;
  std::string who_;
};

/// Why an accessor is not what is wanted; empty: it is.
std::string misfit(const RawAccessor& accessor, const WantedNumbers& wanted) {
  if (accessor.width != wanted.width) {
    return "has " + std::to_string(accessor.width) + " numbers per element, " + std::to_string(wanted.width) +
           " are wanted";
  }
  const bool small = accessor.component >= kByte && accessor.component <= kUShort;
  if (accessor.component != kFloat && !(wanted.normalised && small && accessor.normalized)) {
    return "has component type " + std::to_string(accessor.component) +
           (wanted.normalised ? ": it must be 5126 (float), or normalised 5120 to 5123"
                              : ": it must be 5126 (float)");
  }
  if (accessor.count < wanted.count) {
    return "has " + std::to_string(accessor.count) + " elements, " + std::to_string(wanted.count) +
           " are wanted";
  }
  return wanted.stored && accessor.view == kNoIndex ? "has no buffer view" : "";
}

}  // namespace

Result<std::vector<float>> read_numbers(const GltfDocument& document, int index, const WantedNumbers& wanted,
                                        const std::string& who) {
  const Reader reader(document, index, who);
  if (!is_one_of(index, document.accessors.size())) {
    return reader.wrong("is not there: the file has " + std::to_string(document.accessors.size()));
  }
  const RawAccessor& accessor = document.accessors[static_cast<std::size_t>(index)];
  if (const std::string why = misfit(accessor, wanted); !why.empty()) {
    return reader.wrong(why);
  }
  const auto width = static_cast<std::size_t>(wanted.width);
  auto read = reader.read<float>(
      accessor, wanted.count, [&](const unsigned char* bytes) { return number(bytes, accessor.component); });
  if (!read) {
    return read;
  }
  const auto bad =
      std::find_if_not(read->begin(), read->end(), [](float value) { return std::isfinite(value); });
  if (bad != read->end()) {
    return reader.wrong("has a number that is not finite, in " + std::string(wanted.element) + " " +
                            std::to_string(static_cast<std::size_t>(bad - read->begin()) / width),
                        ErrorCode::kNotFinite);
  }
  return read;
}

Result<std::vector<std::uint32_t>> read_indices(const GltfDocument& document, int index,
                                                const std::string& who) {
  const Reader reader(document, index, who);
  if (!is_one_of(index, document.accessors.size())) {
    return reader.wrong("is not there: the file has " + std::to_string(document.accessors.size()));
  }
  const RawAccessor& accessor = document.accessors[static_cast<std::size_t>(index)];
  if (accessor.width != 1) {
    return reader.wrong("has " + std::to_string(accessor.width) + " numbers per element, 1 is wanted");
  }
  if (!is_whole(accessor.component)) {
    return reader.wrong("has component type " + std::to_string(accessor.component) +
                        ": indices must be 5121, 5123 or 5125");
  }
  return reader.read<std::uint32_t>(accessor, accessor.count, [&](const unsigned char* bytes) {
    return bits(bytes, size_of(accessor.component));
  });
}

}  // namespace juxta::files_detail
