#include "foretell/snapshot/storage/compress.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::snapshot {
namespace {

// Fast enough to keep up with a network; higher levels gain little on states.
constexpr int kLevel = 1;
// From here on the tables of level 1 no longer span the base, and far matches are searched for
// separately.
constexpr size_t kFarBytes = 64 << 10;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

template <class Context>
Context* OrBadAlloc(Context* context) {
  if (context == nullptr) throw std::bad_alloc();
  return context;
}

void Set(ZSTD_CCtx* context, ZSTD_cParameter parameter, int value) {
  FORETELL_CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)));
}

// A null base: none.
std::string Pack(const std::string& bytes, const std::string* base) {
  const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(OrBadAlloc(ZSTD_createCCtx()));
  Set(context.get(), ZSTD_c_compressionLevel, kLevel);
  Set(context.get(), ZSTD_c_checksumFlag, 1);
  if (base != nullptr && !base->empty()) {
    // The window has to reach from the end of `bytes` back to the start of the base.
    const size_t reach = base->size() + bytes.size();
    const ZSTD_bounds bounds = ZSTD_cParam_getBounds(ZSTD_c_windowLog);
    Set(context.get(), ZSTD_c_windowLog,
        std::clamp(static_cast<int>(std::bit_width(reach)), bounds.lowerBound, bounds.upperBound));
    if (reach > kFarBytes) Set(context.get(), ZSTD_c_enableLongDistanceMatching, 1);
    FORETELL_CHECK(!ZSTD_isError(ZSTD_CCtx_refPrefix(context.get(), base->data(), base->size())));
  }
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), bytes.data(), bytes.size());
  FORETELL_CHECK(!ZSTD_isError(size));
  packed.resize(size);
  packed.shrink_to_fit();
  return packed;
}

// The size that `packed` claims to have unpacked.
absl::StatusOr<size_t> ClaimedSize(const std::string& packed, size_t size_max) {
  const unsigned long long claimed = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (claimed == ZSTD_CONTENTSIZE_ERROR || claimed == ZSTD_CONTENTSIZE_UNKNOWN) {
    return absl::InvalidArgumentError(
        absl::StrCat("packed string of ", packed.size(), " bytes does not say its size"));
  }
  if (claimed > size_max) {
    return absl::ResourceExhaustedError(absl::StrCat("packed string of ", packed.size(),
                                                     " bytes unpacks to ", claimed,
                                                     " bytes, limit ", size_max));
  }
  // Several frames in a row would unpack to more than the first one says.
  const size_t frame = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
  if (ZSTD_isError(frame) || frame != packed.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "packed string of ", packed.size(), " bytes is ",
        ZSTD_isError(frame) ? std::string("damaged") : absl::StrCat("one of ", frame, " and more"),
        ", limit ", size_max));
  }
  return static_cast<size_t>(claimed);
}

absl::StatusOr<std::string> Unpack(const std::string& packed, const std::string* base,
                                   size_t size_max) {
  const absl::StatusOr<size_t> claimed = ClaimedSize(packed, size_max);
  if (!claimed.ok()) return claimed.status();
  const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(OrBadAlloc(ZSTD_createDCtx()));
  if (base != nullptr) {
    FORETELL_CHECK(!ZSTD_isError(ZSTD_DCtx_refPrefix(context.get(), base->data(), base->size())));
  }
  std::string bytes(*claimed, '\0');
  const size_t size =
      ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(size) || size != *claimed) {
    return absl::InvalidArgumentError(absl::StrCat(
        "packed string of ", packed.size(), " bytes that claims ", *claimed, " bytes",
        base == nullptr ? std::string() : absl::StrCat(" on a base of ", base->size()), ": ",
        ZSTD_isError(size) ? std::string(ZSTD_getErrorName(size)) : absl::StrCat("has ", size)));
  }
  return bytes;
}

}  // namespace

std::string Compress(const std::string& bytes) { return Pack(bytes, nullptr); }

std::string CompressDelta(const std::string& bytes, const std::string& base) {
  // zstd takes a base in the same memory to be overwritten, and does not use it.
  if (&bytes == &base) return CompressDelta(bytes, std::string(base));
  return Pack(bytes, &base);
}

absl::StatusOr<std::string> Decompress(const std::string& packed, size_t size_max) {
  return Unpack(packed, nullptr, size_max);
}

absl::StatusOr<std::string> DecompressDelta(const std::string& packed, const std::string& base,
                                            size_t size_max) {
  return Unpack(packed, &base, size_max);
}

}  // namespace foretell::snapshot
