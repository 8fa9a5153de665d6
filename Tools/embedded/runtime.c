// What the code of Embedded Swift calls, for a module of WebAssembly that has no C library, and the
// exchange of bytes with the host.
//
// The module has one thread, so nothing here locks.

typedef unsigned char byte;
typedef __SIZE_TYPE__ size;
typedef __UINT64_TYPE__ word;
typedef unsigned __int128 wide;

#define EXPORT(name) __attribute__((export_name(name)))
#define IMPORT(name) __attribute__((import_module("host"), import_name(name)))

// Bytes ------------------------------------------------------------------------------------------

void *memcpy(void *to, const void *from, size count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int value, size count) { return __builtin_memset(to, value, count); }

int memcmp(const void *left, const void *right, size count) {
  const byte *one = left, *other = right;
  for (size at = 0; at < count; at++)
    if (one[at] != other[at]) return one[at] < other[at] ? -1 : 1;
  return 0;
}

size strlen(const char *text) {
  size count = 0;
  while (text[count]) count++;
  return count;
}

// Memory -----------------------------------------------------------------------------------------

// A block has a power of two of bytes, of which the first 16 hold its class. A freed block is kept
// for the next one of its class; memory is never given back.

typedef struct Block {
  size class;
  struct Block *next;
} Block;

enum { headerBytes = 16, pageBytes = 65536 };

extern byte __heap_base;
static size heapEnd;
static Block *freeBlocks[sizeof(size) * 8];

static size grown(size bytes, size alignment) {
  if (!heapEnd) heapEnd = (size)&__heap_base;
  size start = (heapEnd + alignment - 1) & ~(alignment - 1);
  size have = __builtin_wasm_memory_size(0) * (size)pageBytes;
  if (start + bytes < start) __builtin_trap();
  if (start + bytes > have) {
    // By a quarter of what there is, so that a growing state does not ask for each page.
    size missing = (start + bytes - have + pageBytes - 1) / pageBytes, more = have / pageBytes / 4;
    if (__builtin_wasm_memory_grow(0, missing > more ? missing : more) == (size)-1 &&
        __builtin_wasm_memory_grow(0, missing) == (size)-1)
      __builtin_trap();
  }
  heapEnd = start + bytes;
  return start;
}

void *malloc(size count) {
  if (count > ~(size)0 / 4) __builtin_trap();
  size class = sizeof(size) * 8 - (size)__builtin_clzl(count + headerBytes - 1);
  Block *block = freeBlocks[class];
  if (block)
    freeBlocks[class] = block->next;
  else
    block = (Block *)grown((size)1 << class, headerBytes);
  block->class = class;
  return (byte *)block + headerBytes;
}

void free(void *pointer) {
  if (!pointer) return;
  Block *block = (Block *)((byte *)pointer - headerBytes);
  // A block of a greater alignment, of class 0, is not used again.
  if (!block->class) return;
  block->next = freeBlocks[block->class];
  freeBlocks[block->class] = block;
}

int posix_memalign(void **pointer, size alignment, size count) {
  if (alignment <= headerBytes) {
    *pointer = malloc(count);
    return 0;
  }
  size start = grown(count + alignment, alignment) + alignment;
  ((Block *)(start - headerBytes))->class = 0;
  *pointer = (void *)start;
  return 0;
}

// Numbers ----------------------------------------------------------------------------------------

// The product of 128 bits, which the compiler calls.
wide __multi3(wide left, wide right) {
  const word low = 0xffffffff;
  word a = (word)left, b = (word)right;
  word lows = (a & low) * (b & low);
  word crossed = (a >> 32) * (b & low) + (lows >> 32);
  word other = (a & low) * (b >> 32) + (crossed & low);
  word high = (a >> 32) * (b >> 32) + (crossed >> 32) + (other >> 32);
  high += (word)(left >> 64) * b + a * (word)(right >> 64);
  return (wide)high << 64 | other << 32 | (lows & low);
}

static wide joined(word high, word low) { return (wide)high << 64 | low; }

// Shifts of 128 bits by a count that is known only at run time.

wide __ashlti3(wide value, int count) {
  word high = (word)(value >> 64), low = (word)value;
  if (!count) return value;
  if (count >= 64) return joined(low << (count - 64), 0);
  return joined(high << count | low >> (64 - count), low << count);
}

wide __lshrti3(wide value, int count) {
  word high = (word)(value >> 64), low = (word)value;
  if (!count) return value;
  if (count >= 64) return joined(0, high >> (count - 64));
  return joined(high >> count, low >> count | high << (64 - count));
}

__int128 __ashrti3(__int128 value, int count) {
  __INT64_TYPE__ high = (__INT64_TYPE__)(value >> 64);
  word low = (word)value;
  if (!count) return value;
  if (count >= 64) return (__int128)joined((word)(high >> 63), (word)(high >> (count - 64)));
  return (__int128)joined((word)(high >> count), low >> count | (word)high << (64 - count));
}

// Quotients and remainders of 128 bits, bit by bit: money is divided for a report, not for a fold.

static wide quotient(wide number, wide divisor, wide *rest) {
  wide result = 0;
  *rest = 0;
  for (int bit = 127; bit >= 0; bit--) {
    word carry = (word)(*rest >> 127);
    *rest = *rest << 1 | (number >> bit & 1);
    if (carry || *rest >= divisor) {
      *rest -= divisor;
      result |= (wide)1 << bit;
    }
  }
  return result;
}

wide __udivti3(wide number, wide divisor) {
  wide rest;
  return quotient(number, divisor, &rest);
}

wide __umodti3(wide number, wide divisor) {
  wide rest;
  quotient(number, divisor, &rest);
  return rest;
}

static wide magnitude(__int128 number) { return number < 0 ? -(wide)number : (wide)number; }

__int128 __divti3(__int128 number, __int128 divisor) {
  wide result = __udivti3(magnitude(number), magnitude(divisor));
  return (__int128)((number < 0) != (divisor < 0) ? -result : result);
}

__int128 __modti3(__int128 number, __int128 divisor) {
  wide rest = __umodti3(magnitude(number), magnitude(divisor));
  return (__int128)(number < 0 ? -rest : rest);
}

IMPORT("number") double hostNumber(const char *text, size count);

// Returns the end of the text if all of it is a number, else null. The host rounds correctly.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  size count = strlen(text);
  for (size at = 0; at < count; at++) {
    char letter = text[at];
    // The host would also take spaces, other bases and an empty text.
    if (!(letter >= '0' && letter <= '9') && letter != '.' && letter != '-' && letter != '+' &&
        letter != 'e' && letter != 'E')
      return 0;
  }
  double value = count ? hostNumber(text, count) : __builtin_nan("");
  if (value != value) return 0;
  *result = value;
  return text + count;
}

// Dictionaries are seeded alike in every run. No iteration order reaches a state.
void arc4random_buf(void *pointer, size count) { memset(pointer, 0x5a, count); }

// The host ---------------------------------------------------------------------------------------

static byte *input;

// Returns the place where the host puts the bytes of the next call.
EXPORT("input") byte *reserveInput(size count) {
  free(input);
  input = malloc(count);
  return input;
}

IMPORT("print") void hostPrint(const byte *text, size count);

static byte line[1024];
static size lineCount;

// Collects a line for the host. The standard library also calls it, for the message of a trap.
int putchar(int letter) {
  if (letter != '\n') line[lineCount++] = (byte)letter;
  if (letter == '\n' || lineCount == sizeof line) {
    hostPrint(line, lineCount);
    lineCount = 0;
  }
  return letter;
}
