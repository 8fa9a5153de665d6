// The page of a bundle. Everything that the bundle says reaches the document as text.

const rowHeight = 24;
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
  const text = atob(part.textContent.trim());
  part.remove();
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
  tab: 'changes', timer: 0, search: 0, searches: 0, pace: 1024, theme: null, rows: new Map(),
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
  do {
    found = state.module.ask({ index: 2048 });
    if (state.search === 0) showCount(found.count);
    await pause();
  } while (!found.isComplete);
  if (state.search !== 0) search();
}

function showCount(count, text = '') {
  state.shown = count;
  state.rows.clear();
  element('rows').style.height = `${count * rowHeight}px`;
  element('count').textContent = `${counted(count, 'row')}${text}`;
  drawRows();
}

// Returns rows from a place on; they are asked for in groups.
function rowAt(place) {
  const group = Math.floor(place / 64);
  if (!state.rows.has(group)) {
    if (state.rows.size > 64) state.rows.clear();
    state.rows.set(group, ask({ rows: group * 64, count: 64 }) ?? []);
  }
  return state.rows.get(group)[place % 64];
}

const marks = { failed: '✗', undo: '↶', effect: '→', answer: '←' };

function drawRows() {
  const list = element('list');
  const start = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 4);
  const end = Math.min(state.shown, start + Math.ceil(list.clientHeight / rowHeight) + 8);
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

function revealRow() {
  const list = element('list');
  const top = state.place * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + rowHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + rowHeight - list.clientHeight;
  }
  drawRows();
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
}

// MARK: Steps

function tell(text) { element('told').textContent = text; }

// Returns the answer to a request; without one, tells why.
function ask(request) {
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
  if (row !== undefined) show(row.first, row.last);
  revealRow();
}

function goTo(sequence) {
  if (!(sequence >= 1 && sequence <= state.header.records)) {
    tell(`The log has the records 1 to ${state.header.records}.`);
    return;
  }
  const found = ask({ place: sequence });
  show(found?.last === sequence ? found.first : sequence, sequence);
  find(sequence);
}

function show(first, last) {
  tell('');
  state.first = first;
  state.last = last;
  state.details = ask({ step: last, first });
  element('position').textContent = `record ${last} of ${state.header.records}`
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
  const place = element('screen');
  let cells = null;
  if (state.details !== null && state.scene !== null) {
    cells = ask({
      screen: state.last, scene: state.scene, theme: isDark() ? 'dark' : 'light',
    });
  }
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
  if (cells.lacksZone) tell('The rules of the time zone of this screen are not in the file.');
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

function changesOf({ list, isTruncated }) {
  const place = make('div', 'changes');
  if (list.length === 0) place.append('The state is the same as before.');
  for (const change of list) {
    place.append(make('h3', '', `${change.path ?? 'state'} ${change.kind}`));
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
  const tree = make('div', 'tree', treeOf('content', details.content, true));
  place.append(tree);
  return place;
}

function showPane() {
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
    default: {
      const whole = ask({ state: state.last });
      return pane.replaceChildren(make('div', 'tree', treeOf('state', whole ?? {}, true)));
    }
  }
}

function chooseTab(tab) {
  state.tab = tab;
  showPane();
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
  const isPressed = target.matches('button, summary');
  const rows = Math.max(1, Math.floor(element('list').clientHeight / rowHeight) - 1);
  const isList = target === element('list') || target === document.body;
  const tabs = ['changes', 'record', 'effects', 'state'];
  if (target.matches('[role="tab"]') && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    const next = (tabs.indexOf(state.tab) + (key === 'ArrowLeft' ? 3 : 1)) % 4;
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
  else if (key >= '1' && key <= '4') chooseTab(tabs[Number(key) - 1]);
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
  on('list', 'scroll', drawRows);
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
  for (const tab of ['changes', 'record', 'effects', 'state']) {
    on(`tab-${tab}`, 'click', () => chooseTab(tab));
  }
  document.addEventListener('keydown', press);
  window.addEventListener('hashchange', followLink);
  window.addEventListener('resize', drawRows);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showColors);
}

function showColors() {
  element('colors').setAttribute('aria-pressed', isDark());
  showScreen();
}

async function start() {
  state.digest = element('digest').content;
  const bytes = await unpack(take('module'));
  state.moduleBytes = bytes.length;
  state.module = await PageModule.load(bytes);
  state.header = state.module.open(take('bundle'));
  document.title = `${state.header.app}: ${counted(state.header.records, 'record')}`;
  element('title').textContent = document.title;
  state.module.restarted = () => {
    // The selection of rows is gone.
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
