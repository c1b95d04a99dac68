// The page of a history. It loads nothing and stores nothing. The fragment of its URL selects the view, so the browser's Back button works,
// and a link can lead to any view: #version=V, #compare=V..V, #record=NAME (or alias, enum, constant), #ioctl=FAMILY/NAME, #find=WORD.
// After it, &class=NAME,… and &family=NAME filter the changes.
'use strict';

// --- the states of an item ---------------------------------------------------------

// phasesOf - list the distinct states of an item, oldest first. phase.versions are the versions with the state, and phase.added those of them
// whose parent has a different state or does not have the item.
function phasesOf(life) {
	const key = life.kind === RECORD ? (version) => signature(life, version) : (version) => {
		const index = statesOf(life)[version];
		return index < 0 ? '' : String(index);
	};
	const phases = new Map();
	for (const version of byDate) {
		const own = key(version.index);
		if (!own)
			continue;
		if (!phases.has(own))
			phases.set(own, { index: phases.size, versions: [], added: [] });
		const phase = phases.get(own);
		phase.versions.push(version);
		if (version.parent < 0 || key(version.parent) !== own)
			phase.added.push(version);
	}
	const list = [...phases.values()];
	for (const phase of list)
		phase.versions.sort((a, b) => a.index - b.index);
	return list;
}

const PHASE_COLORS = 12; // .s0 to .s11 of the style

function stripOf(phases) {
	const of = new Map(phases.flatMap((phase) => phase.versions.map((version) => [version, phase.index])));
	return make('div', { class: 'strip', role: 'img', 'aria-label': 'The state of each version' }, all.map((version) => {
		const index = of.get(version);
		return make('a', { href: address('version', version.name), tabindex: -1, class: index === undefined ? null : 's' + index % PHASE_COLORS,
			title: `${version.name}: ${index === undefined ? 'does not exist' : 'state ' + (index + 1)}` });
	}));
}

function phaseCaption(phase, text) {
	const last = phase.versions[phase.versions.length - 1];
	return [make('b', {}, `${phase.index + 1}. `), text, make('br'), 'state since ', manyVersions(phase.added, 3), make('br'),
		make('span', { class: 'dim' }, `${plural(phase.versions.length, 'version')}, the newest `), versionLink(last)];
}

function roleLegend() {
	const key = (name, text) => make('span', { class: 'key ' + name }, text);
	return make('p', { class: 'roles' }, key('pointer', 'pointer'), key('handle', 'handle'), key('fd', 'file descriptor'), key('pid', 'process id'),
		key('nested', 'record without these roles'), key('hole', 'hole'),
		make('span', {}, '8 bytes per row. The outlines show changes since the previous layout: ', make('span', { style: 'color:var(--added)' }, 'new'), ', ',
			make('span', { style: 'color:var(--layout)' }, 'moved'), ', ', make('span', { style: 'color:var(--value)' }, 'different type, size or content')));
}

function recordFigures(life, phases) {
	return [roleLegend(), make('div', { class: 'lives', tabindex: 0, 'aria-label': 'Its layouts, side by side, the newest first' }, [...phases].reverse().map((phase) => {
		const version = phase.added[0] || phase.versions[0], state = stateAt(life, version.index);
		const parent = version.parent >= 0 && stateAt(life, version.parent) ? version.parent : null;
		return make('figure', {}, make('figcaption', { class: 's' + phase.index % PHASE_COLORS },
			phaseCaption(phase, `${state[2] ? 'union, ' : ''}${plural(state[0], 'byte')}, aligned to ${state[1]}`)), mapOf(life, version.index, parent));
	}))];
}

function valueRows({ kind, family, name }, state) {
	if (kind === ALIAS)
		return [[words[state[0]]], [plural(state[1], 'byte')]];
	if (kind === CONSTANT)
		return [[constantNumber(name, state)]];
	if (kind === ENUM) {
		const pairs = [];
		for (let i = 0; i < state[2].length; i += 2)
			pairs.push(`${words[state[2][i]]} = ${state[2][i + 1]}`);
		return [[words[state[0]]], [plural(pairs.length, 'value')], pairs.flatMap((pair) => [pair, make('br')])];
	}
	const params = word(state[1]);
	return [[ioctlNumber(family, state[0])], [params ? lifeLink(RECORD, null, params) : 'no parameters'], [state[2].map((flag) => words[flag]).join(', ') || 'no flags'],
		[word(state[3]) || '']];
}

function stateTable(life, phases) {
	return make('div', { class: 'wide tall', tabindex: 0, 'aria-label': 'Its states, the newest first' }, make('table', {}, make('tbody', {}, [...phases].reverse().map((phase) =>
		make('tr', {}, make('td', { class: 's' + phase.index % PHASE_COLORS + ' h4' }, String(phase.index + 1)),
			make('td', {}, 'state since ', manyVersions(phase.added, 2)), make('td', { class: 'dim' }, plural(phase.versions.length, 'version')),
			valueRows(life, stateAt(life, phase.versions[0].index)).map((cell) => make('td', { class: 'mono' }, cell)))))));
}

const isAbout = (change, life) => (change.name === life.name || change.was === life.name) && change.kind === life.kind &&
	(life.kind !== IOCTL || change.family === life.family);

const recordsIn = (state, version) => fieldsOf(state).map((field) => recordBehind(field.type, version, pointedTo)).filter(Boolean);

// holdersOf - return the records that, in any version, have a field that contains or points to the given record
let holders = null;
function holdersOf(life) {
	if (!holders) {
		holders = new Map();
		for (const record of lives.filter((one) => one.kind === RECORD))
			for (let i = 0; i < record.steps.length; i += 2)
				for (const inner of record.steps[i + 1] < 0 ? [] : recordsIn(data.records[record.steps[i + 1]], record.steps[i]))
					holders.set(inner, (holders.get(inner) || new Set()).add(record));
	}
	return holders.get(life) || [];
}

// isOfFamily - return true if the change is of an ioctl of the family, or of a record in the parameters of such an ioctl
const recordsOfFamily = new Map();
function isOfFamily(change, family) {
	if (change.kind !== RECORD)
		return change.kind === IOCTL && change.family === family;
	if (!recordsOfFamily.has(family)) {
		const found = new Set(lives.filter((life) => life.kind === IOCTL && life.family === family).flatMap(paramsOf));
		for (const record of found) // also visits the records that are added in this loop
			for (let i = 0; i < record.steps.length; i += 2)
				for (const inner of record.steps[i + 1] < 0 ? [] : recordsIn(data.records[record.steps[i + 1]], record.steps[i]))
					found.add(inner);
		recordsOfFamily.set(family, new Set([...found].map((record) => record.name)));
	}
	return recordsOfFamily.get(family).has(change.name);
}

// leadsTo - return true if, at a version, @record is @wanted, or contains or points to it, directly or through other records
function leadsTo(record, wanted, version, seen = new Set()) {
	const state = stateAt(record, version);
	if (!state || record === wanted || seen.has(record))
		return Boolean(state) && record === wanted;
	seen.add(record);
	return recordsIn(state, version).some((inner) => leadsTo(inner, wanted, version, seen));
}

// carriers - list the ioctls whose parameters were the record in any version, and the other ioctls whose parameters contained or pointed to it
function carriers(life) {
	const around = new Set([life]), found = { own: [], inside: [] };
	for (const record of around) // also visits the records that are added in this loop
		for (const holder of holdersOf(record))
			around.add(holder);
	for (const other of lives.filter((one) => one.kind === IOCTL)) {
		const params = paramsOf(other).filter((record) => around.has(record));
		if (params.includes(life))
			found.own.push(other);
		else if (params.some((record) => all.some(({ index }) => paramsAt(other, index) === record && leadsTo(record, life, index))))
			found.inside.push(other);
	}
	return found;
}

// sameNumber - list the other ioctls of the family that had, in any version, a number of this ioctl
function sameNumber(life) {
	const own = new Set(life.steps.filter((state, index) => index % 2 && state >= 0).map((state) => String(data.ioctls[state][0])));
	return lives.filter((other) => other !== life && other.kind === IOCTL && other.family === life.family &&
		other.steps.some((state, index) => index % 2 && state >= 0 && own.has(String(data.ioctls[state][0]))));
}

const linkList = (title, found) => (!found.length ? null : make('p', {}, title + ' ', found.slice(0, 60).flatMap((life, index) =>
	(index ? [', ', lifeLink(life.kind, life.family, life.name)] : [lifeLink(life.kind, life.family, life.name)])),
	found.length > 60 ? ` and ${found.length - 60} more` : '', '.'));

function paramsAt(life, version) {
	const state = stateAt(life, version), name = state && word(state[1]);
	return name ? findLife(RECORD, name) : null;
}

function paramsOf(life) {
	const names = new Set(life.steps.filter((state, index) => index % 2 && state >= 0).map((state) => word(data.ioctls[state][1])).filter(Boolean));
	return [...names].map((name) => findLife(RECORD, name)).filter(Boolean);
}

function showLife(life) {
	const phases = phasesOf(life), about = changes.filter((change) => isAbout(change, life) && isShown(change));
	const carried = life.kind === RECORD ? carriers(life) : { own: [], inside: [] };
	const present = phases.reduce((sum, phase) => sum + phase.versions.length, 0);
	const parts = [
		make('h2', {}, (life.family ? life.family + ' ' : '') + kinds[life.kind] + ' ', make('span', { class: 'mono' }, life.name)),
		make('p', { class: 'dim' }, `${plural(phases.length, life.kind === RECORD ? 'layout' : 'state')} in ${present} of ${plural(all.length, 'release')}, in the order of versions:`),
		stripOf(phases),
		linkList('Carried by', carried.own), linkList('Inside a different record, carried by', carried.inside),
		life.kind === IOCTL ? linkList('Other ioctls that have had one of its numbers:', sameNumber(life)) : null,
		life.kind === RECORD ? recordFigures(life, phases) : stateTable(life, phases),
	];
	if (about.length)
		parts.push(make('h3', {}, 'Changes'), changeList(about, null));
	for (const record of life.kind === IOCTL ? paramsOf(life) : []) {
		const own = phasesOf(record);
		parts.push(make('h3', {}, 'Its parameters: ', lifeLink(RECORD, null, record.name)), stripOf(own), recordFigures(record, own));
	}
	return parts;
}

// --- search ----------------------------------------------------------------------------

const FOUND_MAX = 300;

const numberOf = (text) => (/^(0x[0-9a-f]+|\d+)$/i.test(text) ? BigInt(text) : null);
const isNumber = (value, number) => {
	try {
		return BigInt(value) === number;
	} catch (ignored) {
		return false; // "-0x…"
	}
};

// numbered - list the ioctls, and the constants that are not ioctls, that had the number in any version
function numbered(number) {
	const isIoctl = new Set(lives.filter((life) => life.kind === IOCTL).map((life) => life.name));
	return lives.filter((life) => (life.kind === IOCTL || (life.kind === CONSTANT && !isIoctl.has(life.name))) && life.steps.some((state, index) =>
		index % 2 && state >= 0 && isNumber(life.kind === IOCTL ? data.ioctls[state][0] : data.constants[state], number)));
}

// spansOf - count the versions in which an item has the number (null: in which it exists), and list the versions where this begins and ends,
// grouped by the number that the item had before or has after
function spansOf(life, number) {
	const by = statesOf(life), numberAt = (index) => (life.kind === IOCTL ? data.ioctls[by[index]][0] : data.constants[by[index]]);
	const has = (index) => by[index] >= 0 && (number === null || isNumber(numberAt(index), number));
	const byNumber = (list, other) => {
		const groups = new Map();
		for (const version of list) {
			const there = other(version), key = there >= 0 && by[there] >= 0 ? hex(numberAt(there)) : null;
			groups.set(key, [...(groups.get(key) || []), version]);
		}
		return [...groups].map(([key, versions]) => ({ number: key, versions }));
	};
	return {
		count: all.filter((version) => has(version.index)).length,
		added: byNumber(all.filter((version) => has(version.index) && (version.parent < 0 || !has(version.parent))), (version) => version.parent),
		left: byNumber(all.filter((version) => version.parent >= 0 && has(version.parent) && !has(version.index)), (version) => version.index),
	};
}

function spanWords(life, number) {
	const spans = spansOf(life, number);
	const added = spans.added.map((group, index) => [index ? ', ' : number === null ? ' since ' : ' number since ', manyVersions(group.versions, 3), group.number === null ? '' : ` (was ${group.number})`]);
	const left = spans.left.map((group) => [group.number === null ? '; removed in ' : `; now ${group.number}, from `, manyVersions(group.versions, 3)]);
	return [added, left, `; in ${spans.count} of ${plural(all.length, 'release')}`];
}

function showFound(text) {
	const number = numberOf(text), wanted = text.toLowerCase();
	const rank = (life) => {
		const name = life.name.toLowerCase();
		return name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
	};
	const found = number !== null ? numbered(number).sort((a, b) => b.kind - a.kind) :
		lives.filter((life) => life.name.toLowerCase().includes(wanted)).sort((a, b) => rank(a) - rank(b));
	if (found.length === 1)
		return showLife(found[0]);
	return [
		make('h2', {}, found.length ? plural(found.length, number !== null ? 'item' : 'name') : 'Nothing', number !== null ? ' had the number ' : ' with ', make('span', { class: 'mono' }, text)),
		found.length > FOUND_MAX ? make('p', { class: 'dim' }, `The first ${FOUND_MAX}; type more of the name to find the others.`) : null,
		make('ul', { class: 'changes' }, found.slice(0, FOUND_MAX).map((life) => make('li', {}, make('span', { class: 'kind' }, life.family || kinds[life.kind]),
			lifeLink(life.kind, life.family, life.name), make('span', { class: 'what' }, spanWords(life, number))))),
	];
}

// --- the fragment of the address -------------------------------------------------------

// classesAsked - return the classes of &class=… in an address, as bits
function classesAsked(text) {
	const asked = (/[#&]class=([a-z,]*)(&family=[^&]*)?$/.exec(text) || ['', ''])[1].split(',');
	return classes.reduce((bits, name, index) => (asked.includes(name) ? bits | (1 << index) : bits), 0);
}

// familyAsked - return the family of &family=… in an address; '' if the driver does not have it
function familyAsked(text) {
	const asked = (/[#&]family=([^&]*)$/.exec(text) || ['', ''])[1];
	return families.find((name) => encodeURIComponent(name) === asked) || '';
}

function parseAddress() {
	const match = /^#([a-z]+)=(.*?)(&class=[a-z,]*)?(&family=[^&]*)?$/.exec(location.hash);
	if (!match || match[1] === 'class' || match[1] === 'family')
		return null;
	try {
		return { what: match[1], value: decodeURIComponent(match[2]) };
	} catch (ignored) {
		return { what: match[1], value: match[2] };
	}
}

function lifeFor(wanted) {
	const kind = kinds.indexOf(wanted.what), slash = wanted.value.indexOf('/');
	if (kind < 0)
		return null;
	if (kind !== IOCTL)
		return findLife(kind, wanted.value);
	return findLife(IOCTL, wanted.value.slice(slash + 1), wanted.value.slice(0, slash)) ||
		lives.find((life) => life.kind === IOCTL && life.name === wanted.value);
}

function contentOf(wanted) {
	if (wanted.what === 'find')
		return showFound(wanted.value);
	if (wanted.what === 'version') {
		const version = all.find((one) => one.name === wanted.value);
		choose(version || null);
		return version ? showVersion(version) : null;
	}
	if (wanted.what === 'compare')
		return showCompare(...wanted.value.split('..'));
	const life = lifeFor(wanted);
	return life ? showLife(life) : null;
}

// opener - the element that had the focus before the panel, and gets it again when the panel closes
let opener = null;

function show(isOpened = true) {
	const panel = byId('panel'), wanted = parseAddress(), focused = document.activeElement;
	choose(null);
	applyFilter(classesAsked(location.hash), familyAsked(location.hash));
	const content = wanted && (contentOf(wanted) || [make('h2', {}, 'There is no ', wanted.what, ' ', make('span', { class: 'mono' }, wanted.value)),
		make('p', {}, make('a', { href: address('find', wanted.value) }, 'Look for similar names'), '.')]);
	panel.hidden = !content;
	panel.replaceChildren(...(content ? [make('a', { class: 'back', href: homeAddress() }, 'close'), ...content.flat(Infinity).filter(Boolean)] : []));
	if (wanted && wanted.what === 'find' && byId('query') !== document.activeElement)
		byId('query').value = wanted.value;
	if (!content && opener) {
		(opener.isConnected ? opener : document.querySelector('#chart svg')).focus({ preventScroll: true });
		opener = null;
	}
	if (!isOpened || !content || wanted.what === 'find')
		return;
	if (!opener && !panel.contains(focused))
		opener = focused === document.body ? document.querySelector('#chart svg') : focused;
	panel.scrollTop = 0;
	panel.focus({ preventScroll: true });
	if (getComputedStyle(panel).position !== 'sticky') // a sticky panel is beside the drawing, and visible already
		requestAnimationFrame(() => panel.scrollIntoView({ block: 'start' }));
}

function drawLegend() {
	const says = {
		translation: 'a pointer, fd, handle or pid was added, removed or moved, or points to a different type', layout: 'offset, size, type, length or dimensions of existing bytes, or an alignment',
		number: 'an ioctl or class number, or its parameter record', growth: 'bytes appended, or taken from padding', value: 'an enumerator or constant',
		access: 'the privileges or rights of an ioctl', flags: 'other flags of an ioctl', name: 'renamed in place, same bytes', added: 'new', removed: 'removed',
	};
	byId('legend').append(...classes.map((name, index) => {
		const button = make('button', { class: 'key ' + name, title: says[name], 'aria-pressed': 'false' }, name);
		button.addEventListener('click', () => setFilter(shown ^ (1 << index), shownFamily));
		return button;
	}));
	const family = make('select', {}, make('option', { value: '' }, 'all ioctls and records'), families.map((name) => make('option', { value: name }, name)));
	family.addEventListener('change', () => setFilter(shown, family.value));
	byId('family').append(make('label', {}, 'Family: ', family), ' ', make('span', { id: 'counted', role: 'status' }),
		nodes.length ? make('span', { class: 'nodes' }, ` ▲ node of ${data.proxy}, △ node of an unsupported version`) : '');
}

const families = [...new Set(lives.filter((life) => life.kind === IOCTL).map((life) => life.family))].sort();

// setFilter - show only the changes of some classes (0: of all) and of one family ('': of all)
function setFilter(bits, family) {
	const hash = location.hash.replace(/[#&]class=[a-z,]*/, '').replace(/[#&]family=[^&]*$/, '');
	showOnly(bits, family);
	const part = filterPart();
	history.replaceState(null, '', (hash.length > 1 ? hash + (part ? '&' : '') : '#') + part);
	drawFiltered();
	show(false);
}

function applyFilter(bits, family) {
	if (bits === shown && family === shownFamily)
		return;
	showOnly(bits, family);
	drawFiltered();
}

// countRow - write the number of changes, and that of each class, into a version's row, in the same form as add_count() of page.c
function countRow(row, { events }) {
	const cells = [...row.cells].slice(-1 - classes.length), counts = [events.length, ...classes.map((name, index) => events.filter((change) => (change.classes >> index) & 1).length)];
	for (const [index, cell] of cells.entries()) {
		const count = counts[index];
		cell.className = count ? `n ${index ? classes[index - 1] : 'all'} h${count < 3 ? 1 : count < 10 ? 2 : count < 50 ? 3 : 4}` : '';
		cell.textContent = count || '';
	}
}

// drawFiltered - draw all parts of the page that depend on the filter
function drawFiltered() {
	const isFiltered = Boolean(shown || shownFamily), table = byId('versions');
	for (const [index, button] of [...document.querySelectorAll('#legend button')].entries())
		button.setAttribute('aria-pressed', String(Boolean(shown & (1 << index))));
	document.querySelector('#family select').value = shownFamily;
	drawChart();
	for (const [index, name] of classes.entries())
		table.classList.toggle('no-' + name, Boolean(shown) && !(shown & (1 << index)));
	for (const row of table.querySelectorAll('tr[data-v]')) {
		countRow(row, all[row.dataset.v]);
		row.hidden = isFiltered && !all[row.dataset.v].events.length;
	}
	for (const row of table.querySelectorAll('tr.fold'))
		row.hidden = isFiltered;
	const found = new Set(all.flatMap((version) => version.events));
	byId('counted').textContent = isFiltered ? `${plural(found.size, 'change')} in ${plural(all.filter((version) => version.events.length).length, 'release')}.` : '';
	linkTable();
}

// linkTable - make the versions in the table links that keep the filter
function linkTable() {
	for (const cell of byId('versions').querySelectorAll('tr[data-v] > th, span[data-v]')) {
		const { index } = { index: cell.dataset.v || cell.parentNode.dataset.v };
		cell.replaceChildren(make('a', { href: address('version', all[index].name) }, all[index].name));
	}
}

function start() {
	byId('graph').hidden = byId('search').hidden = false;
	drawLegend();
	drawChart();
	byId('chart').scrollLeft = byId('chart').scrollWidth; // if the chart is wider than the window, show its newest part
	const table = byId('versions');
	table.classList.add('live');
	linkTable();
	startCompare();
	table.tBodies[0].addEventListener('click', (click) => {
		const row = click.target.closest('tr[data-v]');
		if (row)
			location.hash = address('version', all[row.dataset.v].name);
	});
	// The hatch pattern of all drawings.
	document.body.append(draw('svg', { width: 0, height: 0, style: 'position:absolute', 'aria-hidden': 'true' }, draw('defs', {},
		draw('pattern', { id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
			draw('line', { x1: 0, y1: 0, x2: 0, y2: 5, style: 'stroke:var(--hatch);stroke-width:2' })))));
	let pause = 0;
	const find = () => {
		const text = byId('query').value.trim();
		history.replaceState(null, '', text ? address('find', text) : homeAddress());
		show(false);
	};
	byId('query').addEventListener('input', () => { clearTimeout(pause); pause = setTimeout(find, 90); });
	byId('search').addEventListener('submit', (submit) => {
		submit.preventDefault();
		clearTimeout(pause);
		find();
		const text = byId('query').value.trim(), same = lives.filter((life) => life.name === text);
		const first = document.querySelector('#panel ul a');
		if (same.length === 1)
			location.hash = addressOf(same[0].kind, same[0].family, same[0].name);
		else if (first)
			first.focus();
	});
	document.addEventListener('keydown', (key) => {
		const typing = document.activeElement === byId('query');
		if (key.key === '/' && !typing && !key.ctrlKey && !key.metaKey && !key.altKey) {
			key.preventDefault();
			byId('query').focus();
			byId('query').select();
		} else if (key.key === 'Escape' && location.hash.length > 1) {
			byId('query').value = '';
			history.pushState(null, '', homeAddress());
			show(false);
		}
	});
	addEventListener('hashchange', () => show());
	show();
}

start();
