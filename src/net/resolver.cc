#include "net/resolver.h"

namespace mailroom::net {

DnsFailure::operator Error() const {
    switch (reason) {
        case NoRecords::no_such_name:
        case NoRecords::no_data:
            return {Errc::not_found, message};
        case NoRecords::temporary:
            return {Errc::unavailable, message};
        case NoRecords::bad_name:
            break;
    }
    return {Errc::invalid, message};
}

}  // namespace mailroom::net
