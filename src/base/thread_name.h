// Names for threads, for whoever looks at the process with top or a debugger.
#pragma once

namespace mailroom {

// Names the calling thread. The system keeps 15 characters.
void name_thread(const char* name);

}  // namespace mailroom
