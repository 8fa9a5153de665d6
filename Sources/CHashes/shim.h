#ifndef RETRACE_CHASHES_H
#define RETRACE_CHASHES_H
// The context of OpenSSL's low-level functions in `sha.h` is a plain value that can be copied, so a
// digest allocates nothing. OpenSSL deprecates them in favour of an interface that allocates
// objects; the macro turns the warnings off.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <xxhash.h>
#endif
