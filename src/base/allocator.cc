// How jemalloc, which release programs are linked with (cmake/module.cmake), treats memory that is
// free again. It reads this name when the process starts.
//
// Rows come and go in blocks of every size, on many threads. glibc keeps what each thread freed:
// twice the cache's bound stayed resident. Giving pages back after a second keeps the process close
// to what the configuration says.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0";
}
