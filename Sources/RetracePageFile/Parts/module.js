// The module of an app: it opens a bundle and answers requests, see PageProgram.
//
// The page and the checks in node run the same class.
class PageModule {
  // Compiles a module.
  static async load(bytes) {
    const module = new PageModule();
    module.program = await WebAssembly.compile(bytes);
    module.begin();
    return module;
  }

  // Begins anew, with empty memory.
  begin() {
    const host = {
      print: (start, count) => { this.message = this.text(start, count); },
      answer: (start, count) => { this.given = this.text(start, count); },
      number: (start, count) => Number(this.text(start, count)),
    };
    this.exports = new WebAssembly.Instance(this.program, { host }).exports;
  }

  text(start, count) {
    const bytes = new Uint8Array(this.exports.memory.buffer, start >>> 0, count >>> 0);
    return new TextDecoder().decode(bytes);
  }

  // Calls a function with bytes, and returns the value of its answer.
  call(name, bytes) {
    this.given = '';
    try {
      const place = this.exports.input(bytes.length) >>> 0;
      // The memory is another buffer after it has grown.
      new Uint8Array(this.exports.memory.buffer, place, bytes.length).set(bytes);
      this.exports[name](place, bytes.length);
    } catch (error) {
      const why = this.message ?? error.message;
      this.restart();
      throw new Error(`The code of the app stopped: ${why}`, { cause: error });
    }
    const answer = PageModule.value(this.given);
    // A verdict may have a failure of its own.
    if (answer?.failure != null && answer.isComplete === undefined) throw new Error(answer.failure);
    return answer;
  }

  // Parses JSON whose integers have up to 64 bits: large ones become big integers.
  static value(text) {
    // The first number that is not safe begins with 9 and has 16 digits.
    if (!/9\d{15}|\d{17}/.test(text)) return JSON.parse(text);
    return JSON.parse(text, (_, value, context) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source)
        ? BigInt(context.source) : value);
  }

  // Opens the bytes of a bundle, and returns what it is.
  open(bundle) {
    this.bundle = bundle;
    return this.call('open', bundle);
  }

  // Goes on after the code of the app stopped, which leaves its memory as it was then.
  restart() {
    const { bundle } = this;
    this.begin();
    this.message = undefined;
    if (bundle === undefined) return;
    this.bundle = undefined;
    this.open(bundle);
    this.ask({ index: Number.MAX_SAFE_INTEGER });
    this.restarted?.();
  }

  // Returns the answer to a request.
  ask(request) { return this.call('request', new TextEncoder().encode(JSON.stringify(request))); }
}
