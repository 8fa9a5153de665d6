#ifndef RETRACE_CHASHES_H
#define RETRACE_CHASHES_H
// These are OpenSSL's low-level functions, whose context is a plain value that can be copied, so a
// digest allocates nothing. OpenSSL recommends its newer interface, which allocates objects.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <xxhash.h>
#endif
