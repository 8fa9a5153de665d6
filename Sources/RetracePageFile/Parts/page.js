// The page of a bundle. Everything that the bundle says reaches the document as text.

const rowHeight = 24;
// How many rows are asked for at once.
const rowGroup = 8;
// The most bytes that a compressed module may take after it was unpacked.
const moduleBytesMax = 64 << 20;
const element = (id) => document.getElementById(id);

// Returns a new element with a class and a text or children.
function make(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

// Returns the bytes of a part of the file, and takes its text out of the document.
function take(id) {
  const part = element(id);
  const bytes = bytesOf(part.textContent.trim());
  part.remove();
  return bytes;
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

async function unpack(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    .getReader();
  const parts = [];
  let count = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    count += part.value.length;
    if (count > moduleBytesMax) throw new Error('The module of the page is too large.');
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// Lets the browser draw and take input.
const pause = () => new Promise((done) => setTimeout(done));

const number = new Intl.NumberFormat('en');
const counted = (count, what) => `${number.format(count)} ${what}${count === 1 ? '' : 's'}`;

// Everything that lasts between two steps.
const state = {
  module: null, header: null, first: 1, last: 1, place: 0, shown: 0, details: null, scene: null,
  // Where the list is scrolled to, its height, and the first row that is drawn.
  top: 0, height: 0, drawn: 0,
  // The columns of the screen, and the width of the place for it.
  columns: 0, width: 0,
  tab: 'changes', timer: 0, search: 0, searches: 0, pace: 1024, theme: null, rows: new Map(),
  // The number of records of the session that is shown, and whether it is the changed one.
  records: 0, isChanged: false, shows: 0, left: 1,
  stops: [], runs: 0,
  // What is left out, moved or edited, and what came of it.
  changes: [], outcome: null, decisions: 0,
};

// MARK: Verdict

function fact(name, value) {
  element('facts').append(make('dt', '', name), make('dd', '', value));
}

function showVerdict(verdict) {
  const { header } = state;
  const place = element('verdict');
  if (!verdict.isComplete) {
    place.textContent = `Verifying: ${number.format(verdict.records)} of `
      + `${counted(header.records, 'record')}…`;
    return;
  }
  const hashes = counted(verdict.compared, 'state hash').replace('hashs', 'hashes');
  let text, isGood = false;
  if (verdict.failure !== null) {
    text = `Damaged or unreadable: ${verdict.failure}.`;
  } else if (verdict.firstDivergence !== null) {
    const { after, upTo } = verdict.firstDivergence;
    text = `The app of this page folds the log differently: a state after one of the records `
      + `${after + 1} to ${upTo} is not the recorded one.`;
  } else if (verdict.compared === 0) {
    text = `The chain of ${counted(verdict.records, 'record')} is intact; no state hash could be `
      + 'compared.';
  } else {
    isGood = true;
    text = `Intact: the chain of ${counted(verdict.records, 'record')} and ${hashes} agree with `
      + 'the fold in this page.';
  }
  const isOther = verdict.reducers.some((reducer) => reducer !== verdict.reducer);
  if (isOther) text += ' It was recorded by another build than the one in this page.';
  if (header.contents === 'redacted') text += ' Texts are redacted.';
  place.textContent = text;
  place.dataset.state = isGood ? 'good' : 'bad';
  const facts = element('facts');
  facts.replaceChildren();
  fact('app', `${header.app}, build ${header.build}`);
  fact('contents', header.contents === 'original'
    ? 'the log as it was recorded' : `${header.contents}: chain and hashes of the bundle's own`);
  if (header.allowed.length > 0) fact('kept texts', header.allowed.join(', '));
  fact('records', number.format(verdict.records));
  fact('chain', verdict.chain);
  fact('state hash', verdict.stateHash ?? 'none');
  fact('compared', `${hashes}, ${verdict.comparedShort} of them four bytes; at most `
    + `${counted(verdict.largestDistance, 'record')} from one to the next, and `
    + `${number.format(verdict.recordsAfterLastHash)} after the last one`);
  if (verdict.notComparable > 0) {
    fact('not compared', `${verdict.notComparable}, recorded under another state schema`);
  }
  fact('recorded by', verdict.reducers.map((reducer) =>
    reducer === verdict.reducer ? 'the reducer of this page' : `another build, reducer ${reducer}`)
    .join('; ') || 'no session');
  fact('reducer of the page', /^0*$/.test(verdict.reducer) ? 'not known' : verdict.reducer);
  fact('module', `${state.digest}, ${counted(state.moduleBytes, 'byte')}`);
}

async function verify() {
  for (;;) {
    const started = performance.now();
    const verdict = state.module.ask({ verify: state.pace });
    showVerdict(verdict);
    if (verdict.isComplete) return;
    // About a frame for each part, so that the page answers.
    const spent = performance.now() - started;
    state.pace = Math.max(64, Math.min(1 << 16, Math.round(state.pace * 16 / spent)));
    await pause();
  }
}

// MARK: Timeline

async function findRows() {
  let found;
  const own = state.shows;
  let pace = 2048;
  do {
    const started = performance.now();
    found = state.module.ask(about({ index: pace }));
    pace = paced(pace, started);
    if (state.search === 0) showCount(found.count);
    await pause();
    if (own !== state.shows) return;
  } while (!found.isComplete);
  if (state.search !== 0) search();
}

function showCount(count, text = '') {
  state.shown = count;
  state.rows.clear();
  state.drawn = -1;
  element('rows').style.height = `${count * rowHeight}px`;
  element('count').textContent = `${counted(count, 'row')}${text}`;
  measureList();
  drawRows();
}

// Returns rows from a place on; they are asked for in groups.
function rowAt(place) {
  const group = Math.floor(place / rowGroup);
  if (!state.rows.has(group)) {
    if (state.rows.size > 256) state.rows.clear();
    state.rows.set(group, ask({ rows: group * rowGroup, count: rowGroup }) ?? []);
  }
  return state.rows.get(group)[place % rowGroup];
}

const marks = { failed: '✗', undo: '↶', effect: '→', answer: '←' };

function drawRows() {
  const list = element('list');
  const [start, end] = rowsInView();
  state.drawn = start;
  const drawn = [];
  for (let place = start; place < end; place++) {
    const row = rowAt(place);
    if (row === undefined) break;
    const kinds = row.marks.map((mark) => mark.startsWith('session') ? 'session' : mark);
    const line = make(
      'div', `row ${kinds.join(' ')}`, make('span', 'number', `${row.first}`),
      make('span', 'clock', row.marks[0] === 'sessionOpened'
        ? `${row.date} ${row.clock}` : row.clock),
      make('span', '', row.text),
      make('span', 'mark', row.marks.map((mark) => marks[mark] ?? '').join('')));
    line.id = `row-${place}`;
    line.setAttribute('role', 'option');
    line.setAttribute('aria-setsize', state.shown);
    line.setAttribute('aria-posinset', place + 1);
    line.setAttribute('aria-selected', row.first <= state.last && state.last <= row.last);
    line.style.top = `${place * rowHeight}px`;
    line.addEventListener('click', () => goToPlace(place));
    drawn.push(line);
  }
  element('rows').replaceChildren(...drawn);
  list.setAttribute('aria-activedescendant', `row-${state.place}`);
}

// The places of the first row that is in view and of the one after the last.
function rowsInView() {
  const start = Math.max(0, Math.floor(state.top / rowHeight) - 2);
  return [start, Math.min(state.shown, start + Math.ceil(state.height / rowHeight) + 4)];
}

// Reads where the list is, which makes the browser lay out what has changed.
function measureList() {
  state.top = element('list').scrollTop;
  state.height = element('list').clientHeight;
  state.width = element('paper').clientWidth;
}

// Scrolls to the selected row. It comes before other elements change, so that nothing has to be
// laid out for it.
function revealRow() {
  const top = state.place * rowHeight;
  const last = top + rowHeight - state.height;
  if (top >= state.top && last <= state.top) return;
  element('list').scrollTop = top < state.top ? top : last;
  measureList();
}

// Looks for the rows with the typed text and the chosen kinds.
async function search() {
  const own = ++state.searches;
  const kind = element('kind').value;
  const text = element('search').value;
  state.search = text !== '' || kind !== '' ? own : 0;
  let found = ask({ select: text, kinds: kind === '' ? [] : kind.split(',') });
  while (found !== null && !found.isComplete) {
    found = ask({ search: 512 });
    if (own !== state.searches) return;
    if (found !== null) showCount(found.count, found.isComplete ? '' : ' so far');
    await pause();
    if (own !== state.searches) return;
  }
  if (found === null) return;
  showCount(found.count);
  find(state.last);
}

// Selects the row of a record, if it is shown.
function find(sequence) {
  const found = ask({ place: sequence });
  if (found !== null) state.place = found.place;
  revealRow();
  drawRows();
}

// MARK: Steps

function tell(text) { element('told').textContent = text; }

function say(text) { element('said').textContent = text; }

// Returns a request about the session that is shown.
const about = (request) => state.isChanged ? { ...request, isChanged: true } : request;

// Returns the answer to a request about the session that is shown; without one, tells why.
const ask = (request) => askModule(about(request));

function askModule(request) {
  try {
    return state.module.ask(request);
  } catch (error) {
    tell(error.message);
    return null;
  }
}

function goToPlace(place) {
  if (state.shown === 0) return;
  state.place = Math.max(0, Math.min(state.shown - 1, place));
  const row = rowAt(state.place);
  revealRow();
  if (row !== undefined) show(row.first, row.last);
  drawRows();
}

function goTo(sequence) {
  if (!(sequence >= 1 && sequence <= state.records)) {
    tell(`The log has the records 1 to ${state.records}.`);
    return;
  }
  const found = ask({ place: sequence });
  if (found !== null) state.place = found.place;
  revealRow();
  show(found?.last === sequence ? found.first : sequence, sequence);
  drawRows();
}

function show(first, last) {
  tell('');
  say('');
  state.first = first;
  state.last = last;
  state.details = ask({ step: last, first });
  element('position').textContent = `record ${last} of ${state.records}`
    + (state.details === null ? '' : `, ${state.details.time} (${state.details.zone})`);
  showScenes();
  showScreen();
  showPane();
  const place = `#at=${last}`;
  if (location.hash !== place) history.replaceState(null, '', place);
}

function showScenes() {
  const scenes = state.details?.scenes ?? [];
  if (!scenes.some((scene) => scene.id === state.scene)) state.scene = scenes[0]?.id ?? null;
  const choice = element('scene');
  choice.replaceChildren(...scenes.map((scene) => {
    const option = make('option', '', `${scene.id}`);
    option.value = scene.id;
    option.selected = scene.id === state.scene;
    return option;
  }));
  choice.disabled = scenes.length < 2;
  const scene = scenes.find((scene) => scene.id === state.scene);
  element('path').textContent = scene === undefined ? ''
    : scene.paths.join(' › ') + (scene.size === null ? '' : `, ${scene.size}`);
}

const isDark = () =>
  (state.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'))
    === 'dark';

function showScreen() {
  const hasScene = state.details !== null && state.scene !== null;
  const cells = hasScene ? ask(screenAt(state.last)) : null;
  drawScreen(element('screen'), cells);
  state.columns = cells?.columns ?? 0;
  fitScreen();
  if (cells?.lacksZone) tell('The rules of the time zone of this screen are not in the file.');
}

// Makes the letters smaller where a whole line does not fit, as far as they can be read.
function fitScreen() {
  const size = state.columns === 0 ? 15 : (state.width - 40) / state.columns / 0.61;
  element('screen').style.fontSize = `${Math.max(11, Math.min(15, size)).toFixed(2)}px`;
}

const screenAt = (record) => ({
  screen: record, scene: state.scene ?? undefined, theme: isDark() ? 'dark' : 'light',
});

function drawScreen(place, cells) {
  if (cells === null) {
    place.replaceChildren('The app shows no window here.');
    return;
  }
  place.replaceChildren(...cells.lines.map((pieces) => lineOf(pieces)));
  place.style.background = cells.paper;
  place.style.color = cells.ink;
  place.style.minWidth = `${cells.columns}ch`;
  if (cells.cursor !== null) {
    const cursor = make('span', 'cursor');
    cursor.style.left = `${cells.cursor.column}ch`;
    cursor.style.top = `${cells.cursor.row * 1.17}em`;
    place.append(cursor);
  }
}

function lineOf(pieces) {
  const line = make('span', 'line');
  for (const piece of pieces) {
    const span = make('span', '', piece.text);
    if (piece.ink) span.style.color = piece.ink;
    if (piece.paper) span.style.background = piece.paper;
    if (piece.bold) span.style.fontWeight = 'bold';
    if (piece.italic) span.style.fontStyle = 'italic';
    const lines = [piece.underline && 'underline', piece.struck && 'line-through'];
    if (lines.some(Boolean)) span.style.textDecoration = lines.filter(Boolean).join(' ');
    if (piece.isBoxed || piece.ink || piece.paper) {
      span.className = 'box';
      span.style.width = `${piece.cells}ch`;
    }
    line.append(span);
  }
  return line;
}

// MARK: About a record

const textOf = (value) => JSON.stringify(
  value, (_, part) => typeof part === 'bigint'
    ? JSON.rawJSON?.(`${part}`) ?? `${part}` : part);

// Returns a value as a tree, whose branches are made when they are opened.
function treeOf(name, value, isOpen = false) {
  const isBranch = value !== null && typeof value === 'object' && Object.keys(value).length > 0;
  if (!isBranch) {
    return make('div', 'leaf', make('span', 'name', name), `: ${textOf(value)}`);
  }
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? ` [${entries.length}]` : '';
  const branch = make('details', '', make('summary', '', make('span', 'name', name), size));
  const fill = () => {
    if (branch.childElementCount > 1) return;
    for (let start = 0; start < entries.length; start += 500) {
      const part = entries.slice(start, start + 500).map(([key, item]) => treeOf(key, item));
      if (entries.length <= 500) branch.append(...part);
      else branch.append(groupOf(start, part));
    }
  };
  branch.addEventListener('toggle', () => { if (branch.open) fill(); });
  if (isOpen) {
    branch.open = true;
    fill();
  }
  return branch;
}

function groupOf(start, parts) {
  return make(
    'details', '', make('summary', '', `${start} to ${start + parts.length - 1}`), ...parts);
}

// Returns what differs between two states; between a step's states with buttons for stops.
function changesOf({ list, isTruncated }, isStep = true) {
  const place = make('div', 'changes');
  if (list.length === 0) {
    place.append(make('p', 'text', isStep
      ? 'The state is the same as before.' : 'Both states are the same.'));
  }
  for (const change of list) {
    place.append(make('h3', '', `${change.path ?? 'state'} ${change.kind} `,
      ...isStep ? [stopButton('change', change.path ?? change.fields[0]?.path ?? '')] : []));
    const fields = make('dl');
    for (const field of change.fields) {
      const value = make('dd');
      if (!field.isNew) value.append(make('del', '', textOf(field.before)));
      if (!field.isNew && !field.isGone) value.append(' → ');
      if (!field.isGone) value.append(make('ins', '', textOf(field.after)));
      fields.append(make('dt', '', field.path), value);
    }
    place.append(fields);
  }
  if (isTruncated) place.append('There are more changes.');
  return place;
}

function linkTo(sequence) {
  const link = make('button', '', `record ${sequence}`);
  link.type = 'button';
  link.addEventListener('click', () => goTo(sequence));
  return link;
}

function effectsOf(details) {
  const place = make('div', 'changes');
  if (details.cause !== null) {
    place.append(make('p', '', 'Sent by the effect of ', linkTo(details.cause), '.'));
  }
  place.append(make('h3', '', 'Started by this record'), details.started.join(', ') || 'none');
  place.append(make('h3', '', 'In flight after it'));
  if (details.inFlight.length === 0) place.append('none');
  for (const leaf of details.inFlight) {
    place.append(make(
      'p', '', 'effect of ', linkTo(leaf.cause), `, due ${leaf.due}`,
      leaf.feature === '' ? '' : `, of ${leaf.feature}`));
  }
  return place;
}

function recordOf(details) {
  const place = make('div', 'changes');
  place.append(make('h3', '', `${details.kind} in session ${details.session}`));
  place.append(make('p', '', details.call));
  if (details.kind === 'action' || details.kind === 'command') {
    place.append(make('p', '', stopButton('action', /^[^(]*/.exec(details.call)[0].trim())));
  }
  const tree = make('div', 'tree', treeOf('content', details.content, true));
  place.append(tree);
  return place;
}

function showPane() {
  document.body.dataset.tab = state.tab;
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    const isChosen = tab.id === `tab-${state.tab}`;
    tab.setAttribute('aria-selected', isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
  }
  const pane = element('pane');
  pane.setAttribute('aria-labelledby', `tab-${state.tab}`);
  const { details } = state;
  if (details === null) return pane.replaceChildren();
  switch (state.tab) {
    case 'changes': return pane.replaceChildren(changesOf(details.changes));
    case 'record': return pane.replaceChildren(recordOf(details));
    case 'effects': return pane.replaceChildren(effectsOf(details));
    case 'whatif': return pane.replaceChildren(whatIf());
    default: {
      const whole = ask({ state: state.last });
      return pane.replaceChildren(make('div', 'tree', treeOf('state', whole ?? {}, true)));
    }
  }
}

const tabs = ['changes', 'record', 'effects', 'state', 'whatif'];

function chooseTab(tab) {
  state.tab = tab;
  showPane();
}

// Returns a button with a text that does something.
function button(text, action, label) {
  const made = make('button', '', text);
  made.type = 'button';
  if (label) made.setAttribute('aria-label', label);
  made.addEventListener('click', action);
  return made;
}

// MARK: Stops

const stopWords = {
  change: 'a change of', action: 'an action or command with', screen: 'a screen with',
};

const stopButton = (kind, text) =>
  button('Stop here', () => addStop(kind, text), `Add a stop at ${stopWords[kind]} ${text}`);

function addStop(kind, text) {
  if (text === '') return tell('A stop needs a text.');
  if (!state.stops.some((stop) => stop.kind === kind && stop.text === text)) {
    state.stops.push({ kind, text });
  }
  drawStops();
  tell('');
  say(`Stop at ${stopWords[kind]} “${text}”: run on with n, back with p.`);
}

function drawStops() {
  element('stop-list').replaceChildren(...state.stops.map((stop, index) => {
    const words = `${stopWords[stop.kind]} “${stop.text}”`;
    return make('li', '', `${words} `, button('Remove', () => {
      state.stops.splice(index, 1);
      drawStops();
      element('stop-text').focus();
    }, `Remove the stop at ${words}`));
  }));
}

function openStops() {
  element('stops').open = true;
  element('stop-text').focus();
}

// Goes to the next or the previous record at which one of the stops holds.
async function run(isBackwards) {
  if (state.stops.length === 0) {
    openStops();
    return tell('There is no stop yet. Add one here.');
  }
  const own = ++state.runs;
  play(false);
  const from = isBackwards ? state.first - 1 : state.last + 1;
  const place = isBackwards ? 'earlier' : 'later';
  if (from < 1 || from > state.records) return tell(`There is no ${place} record.`);
  const scene = state.scene ?? undefined;
  say('Running. Escape ends it.');
  let found = ask({ breaks: state.stops, from, isBackwards, scene });
  for (let pace = 64; found !== null && !found.isComplete;) {
    const started = performance.now();
    found = ask({ run: pace });
    if (found === null) return;
    pace = paced(pace, started);
    if (!found.isComplete) say(`Running: record ${found.next}. Escape ends it.`);
    await pause();
    if (own !== state.runs) return;
  }
  if (found === null) return say('');
  if (found.stop === null) return say(`No ${place} record is at a stop.`);
  goTo(found.stop.record);
  const stop = state.stops[found.stop.condition];
  say(`Stopped at record ${found.stop.record}: ${stopWords[stop.kind]} “${stop.text}”.`);
}

// Returns how many records to look at next, so that it takes about a frame.
const paced = (pace, started) => Math.max(
  16, Math.min(1 << 16, Math.round(pace * 16 / (performance.now() - started + 0.1))));

function endRun() {
  if (element('said').textContent.startsWith('Running')) say('The run was ended.');
  state.runs += 1;
}

// MARK: What if

function addChange(change) {
  const isSame = (other) => other.kind === change.kind && other.record === change.record
    && textOf(other.path ?? null) === textOf(change.path ?? null);
  state.changes = state.changes.filter((other) => !isSame(other));
  state.changes.push(change);
  forgetOutcome();
}

function forgetOutcome() {
  state.outcome = null;
  element('session').hidden = !state.isChanged;
}

function whatIf() {
  const place = make('div', 'plain');
  if (state.isChanged) {
    place.append(make('p', '', 'The page shows the changed session. ',
      button('Show the original', () => showSession(false))));
  } else {
    place.append(changeForms());
  }
  place.append(make('h3', '', 'What to change'));
  if (state.changes.length === 0) {
    place.append('Nothing yet. Choose a command in the timeline, and leave it out, move it or '
      + 'edit it. Then all commands are decided again by the app in this page; the file stays as '
      + 'it is.');
    return place;
  }
  place.append(make('ul', '', ...state.changes.map((change, index) => make(
    'li', '', `${change.words} `, button('Remove', () => {
      state.changes.splice(index, 1);
      forgetOutcome();
      showPane();
    }, `Remove: ${change.words}`)))));
  place.append(make('p', '', button('Decide again', decide)));
  if (state.outcome !== null) place.append(outcomeOf(state.outcome));
  return place;
}

// Returns the controls that change the command or the action of the record.
function changeForms() {
  const place = make('div');
  const batch = askModule({ batch: state.last });
  if (batch === null) return place;
  const what = batch.first === batch.last
    ? `record ${batch.first}` : `records ${batch.first} to ${batch.last}`;
  place.append(make('h3', '', `This step: ${what}`));
  if (!batch.isChangeable) {
    place.append('Only commands and actions can be changed.');
    return place;
  }
  const use = (change) => {
    addChange(change);
    showPane();
  };
  const before = make('input');
  before.inputMode = 'numeric';
  before.size = 8;
  const move = formOf('Move', [['before record', before]], () => use({
    kind: 'move', record: batch.first, before: Number(before.value),
    words: `move ${what} before record ${Number(before.value)}`,
  }));
  move.prepend(button('Leave out', () => use(
    { kind: 'omit', record: batch.first, words: `leave out ${what}` })));
  place.append(move);
  if (batch.values.length === 0) return place;
  const fields = batch.values.map((leaf) => {
    const input = make('input');
    input.value = typeof leaf.value === 'string' ? leaf.value : textOf(leaf.value);
    input.defaultValue = input.value;
    input.title = leaf.name;
    // The whole name leads through the screens and the cases around the value.
    return [leaf.name.split('.').slice(-2).join(' '), input, leaf.path];
  });
  const edit = make('details', '', make('summary', '', 'Edit its values'));
  place.append(edit);
  edit.append(formOf('Edit', fields, () => {
    for (const [name, input, path] of fields) {
      if (input.value === input.defaultValue) continue;
      addChange({
        kind: 'edit', record: batch.edited, path, text: input.value,
        words: `record ${batch.edited}: ${name} becomes “${input.value}”`,
      });
    }
    showPane();
  }));
  return place;
}

function formOf(action, fields, submit) {
  const confirm = make('button', '', action);
  const form = make('form', 'fields', ...fields.map(
    ([name, input]) => make('label', '', name, input)), confirm);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return form;
}

async function decide() {
  const own = ++state.decisions;
  await showSession(false);
  forgetOutcome();
  let progress = askModule({ change: state.changes });
  for (let pace = 64; progress !== null && !progress.isComplete;) {
    const started = performance.now();
    progress = askModule({ decide: pace });
    pace = paced(pace, started);
    if (progress !== null) say(`Deciding again: ${counted(progress.records, 'record')}…`);
    await pause();
    if (own !== state.decisions) return;
  }
  const outcome = progress === null ? null : askModule({ outcome: true });
  if (outcome === null) return say('');
  state.outcome = { ...progress, ...outcome, list: outcome.differences };
  element('session').hidden = false;
  say('Decided again.');
  showPane();
}

function outcomeOf(outcome) {
  const place = make('div', '', make('h3', '', 'What came of it'));
  place.append(make('p', '', `${counted(outcome.decided, 'command')} decided again, `
    + `${number.format(outcome.list.length)} with another outcome; the changed session has `
    + `${counted(outcome.records, 'record')}.`
    + (outcome.kept > 0 ? ` ${counted(outcome.kept, 'command')} could not be decided again; `
      + 'what was recorded of them is kept.' : '')
    + (outcome.answersLeftOut > 0
      ? ` ${counted(outcome.answersLeftOut, 'answer')} of effects that are gone left out.` : '')));
  place.append(make('p', '',
    button('Show the changed session', () => showSession(true)), ' ',
    button('Save it as a bundle', save)));
  for (const one of outcome.list) {
    const how = one.isRefused === one.wasRefused ? 'has other facts'
      : one.isRefused ? 'is refused now' : 'is accepted now';
    place.append(make('p', '', linkTo(one.record), ` ${how}: `, make('del', '', one.before),
      ' → ', make('ins', '', one.after)));
  }
  place.append(make('h3', '', 'State at the end, original → changed'), changesOf(outcome.changes, false));
  const screens = [['Original', false, state.header.records], ['Changed', true, outcome.records]]
    .map(([name, isChanged, record]) => {
      const screen = make('div', 'screen');
      drawScreen(screen, askModule({ ...screenAt(record), isChanged }));
      return make('div', '', make('h3', '', `${name}, last screen`), screen);
    });
  place.append(make('div', 'beside', ...screens));
  return place;
}

// Shows the original or the changed session in the whole page.
async function showSession(isChanged) {
  if (isChanged === state.isChanged || (isChanged && state.outcome === null)) return;
  if (isChanged) state.left = state.last;
  const place = isChanged
    ? Math.max(1, askModule({ counterpart: state.last }) ?? 1) : state.left;
  state.isChanged = isChanged;
  state.records = isChanged ? state.outcome.records : state.header.records;
  state.shows += 1;
  element('search').value = '';
  element('kind').value = '';
  state.search = 0;
  element('session').setAttribute('aria-pressed', isChanged);
  element('title').textContent = isChanged
    ? `${state.header.app}: changed session, ${counted(state.records, 'record')}` : document.title;
  document.body.classList.toggle('changed', isChanged);
  if (state.outcome === null) element('session').hidden = !isChanged;
  goTo(place);
  await findRows();
  find(state.last);
}

// Offers the changed session as a file; nothing leaves the page.
function save() {
  const text = askModule({ bundle: true });
  if (text === null) return;
  const link = make('a');
  link.href = URL.createObjectURL(
    new Blob([bytesOf(text)], { type: 'application/octet-stream' }));
  link.download = `${state.header.app}-what-if.bundle`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// MARK: Controls

function play(isOn) {
  clearInterval(state.timer);
  state.timer = 0;
  if (isOn) {
    state.timer = setInterval(() => {
      if (state.place + 1 >= state.shown) return play(false);
      goToPlace(state.place + 1);
    }, Number(element('speed').value));
  }
  element('play').setAttribute('aria-pressed', isOn);
  element('play').textContent = isOn ? 'Pause' : 'Play';
}

function jump(text) {
  if (/^\s*\d+\s*$/.test(text)) return goTo(Number(text));
  const sequence = ask({ time: text.trim(), near: state.last });
  if (sequence !== null) goTo(sequence);
}

function followLink() {
  const at = /(?:^#|&)at=(\d+)/.exec(location.hash);
  if (at === null) return false;
  goTo(Number(at[1]));
  return state.details !== null;
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target, key } = event;
  if (target.matches('input, select')) {
    if (key === 'Escape') element('list').focus();
    return;
  }
  if (key === 'Escape') endRun();
  const isPressed = target.matches('button, summary');
  const rows = Math.max(1, Math.floor(element('list').clientHeight / rowHeight) - 1);
  const isList = target === element('list') || target === document.body;
  if (target.matches('[role="tab"]') && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    const step = key === 'ArrowLeft' ? tabs.length - 1 : 1;
    const next = (tabs.indexOf(state.tab) + step) % tabs.length;
    chooseTab(tabs[next]);
    element(`tab-${tabs[next]}`).focus();
  } else if (key === 'ArrowLeft' || (isList && key === 'ArrowUp')) goToPlace(state.place - 1);
  else if (key === 'ArrowRight' || (isList && key === 'ArrowDown')) goToPlace(state.place + 1);
  else if (isList && key === 'PageUp') goToPlace(state.place - rows);
  else if (isList && key === 'PageDown') goToPlace(state.place + rows);
  else if (isList && key === 'Home') goToPlace(0);
  else if (isList && key === 'End') goToPlace(state.shown - 1);
  else if (key === ' ' && !isPressed) play(state.timer === 0);
  else if (key === '/') element('search').focus();
  else if (key === 'g') element('goto').focus();
  else if (key >= '1' && key <= '5') chooseTab(tabs[Number(key) - 1]);
  else if (key === 'n' || key === 'p') run(key === 'p');
  else if (key === 'b') openStops();
  else return;
  event.preventDefault();
}

function listen() {
  const on = (id, name, action) => element(id).addEventListener(name, action);
  on('first', 'click', () => goToPlace(0));
  on('back', 'click', () => goToPlace(state.place - 1));
  on('forward', 'click', () => goToPlace(state.place + 1));
  on('last', 'click', () => goToPlace(state.shown - 1));
  on('play', 'click', () => play(state.timer === 0));
  on('speed', 'change', () => { if (state.timer !== 0) play(true); });
  on('list', 'scroll', () => {
    measureList();
    if (rowsInView()[0] !== state.drawn) drawRows();
  });
  on('search', 'input', search);
  on('kind', 'change', search);
  on('finding', 'submit', (event) => {
    event.preventDefault();
    element('list').focus();
    goToPlace(state.place);
  });
  on('jumping', 'submit', (event) => {
    event.preventDefault();
    jump(element('goto').value);
  });
  on('scene', 'change', () => {
    state.scene = Number(element('scene').value);
    showScenes();
    showScreen();
  });
  on('colors', 'click', () => {
    state.theme = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = state.theme;
    showColors();
  });
  on('run-back', 'click', () => run(true));
  on('run-on', 'click', () => run(false));
  on('stopping', 'submit', (event) => {
    event.preventDefault();
    addStop(element('stop-kind').value, element('stop-text').value.trim());
    element('stop-text').value = '';
  });
  on('session', 'click', () => showSession(!state.isChanged));
  for (const tab of tabs) {
    on(`tab-${tab}`, 'click', () => chooseTab(tab));
  }
  document.addEventListener('keydown', press);
  window.addEventListener('hashchange', followLink);
  window.addEventListener('resize', resized);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showColors);
}

function resized() {
  measureList();
  drawRows();
  fitScreen();
}

function showColors() {
  element('colors').setAttribute('aria-pressed', isDark());
  showScreen();
}

async function start() {
  state.digest = element('digest').content;
  const bytes = await unpack(take('module'));
  state.moduleBytes = bytes.length;
  performance.mark('unpacked');
  state.module = await PageModule.load(bytes);
  performance.mark('compiled');
  state.header = state.module.open(take('bundle'));
  performance.mark('opened');
  document.title = `${state.header.app}: ${counted(state.header.records, 'record')}`;
  element('title').textContent = document.title;
  element('message').textContent = state.header.message;
  element('message').hidden = state.header.message === '';
  state.records = state.header.records;
  state.module.restarted = () => {
    // The selection of rows is gone, and so is the changed session.
    [state.isChanged, state.outcome] = [false, null];
    state.records = state.header.records;
    element('session').hidden = true;
    element('search').value = '';
    element('kind').value = '';
    search();
  };
  listen();
  if (state.header.records === 0) {
    element('verdict').textContent = 'The log has no records.';
    return;
  }
  const rows = findRows();
  if (!followLink()) goTo(state.header.records);
  showColors();
  element('list').focus();
  performance.mark('first step');
  await rows;
  performance.mark('rows');
  find(state.last);
  await verify();
  performance.mark('verdict');
  // Names of entities are those of the last state now.
  state.rows.clear();
  drawRows();
  document.documentElement.dataset.done = 'true';
}

start().catch((error) => {
  element('verdict').textContent = error.message;
  element('verdict').dataset.state = 'bad';
  document.documentElement.dataset.done = 'true';
});
