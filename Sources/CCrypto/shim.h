#ifndef RETRACE_CCRYPTO_H
#define RETRACE_CCRYPTO_H
// The low-level functions: a computation is a plain value that may be copied, and a digest
// allocates nothing. OpenSSL recommends its newer interface, whose computations are objects.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#endif
