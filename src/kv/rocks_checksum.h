// RocksDB's checksum (CRC-32C), computed by the processor. This file is for its test; RocksDB
// finds it by way of the linker.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mailroom::kv {

// Of what `checksum` is of, followed by `bytes`. Called wherever RocksDB calls its own.
std::uint32_t rocks_checksum(std::uint32_t checksum, const char* bytes,
                             std::size_t count) asm("__wrap__ZN7rocksdb6crc32c6ExtendEjPKcm");
// The one that RocksDB brings.
std::uint32_t rocks_own_checksum(std::uint32_t checksum, const char* bytes,
                                 std::size_t count) asm("__real__ZN7rocksdb6crc32c6ExtendEjPKcm");

}  // namespace mailroom::kv
