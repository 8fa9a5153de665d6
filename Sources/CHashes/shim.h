#ifndef RETRACE_CHASHES_H
#define RETRACE_CHASHES_H
// The low-level functions: a hash computation is a plain value that can be copied, and a digest
// allocates nothing. OpenSSL recommends its newer interface, which allocates objects.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <xxhash.h>
#endif
