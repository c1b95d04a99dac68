// The data in #data, as versions, changes and lives, and functions that make elements. A life is the sequence of
// states that an item, such as a record or an ioctl, has had. All scripts of the page share one global scope.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const { words, versions, edges, events, classes, kinds, roles } = data;
const RECORD = 0, ALIAS = 1, ENUM = 2, CONSTANT = 3, IOCTL = 4;
const states = [data.records, data.aliases, data.enums, data.constants, data.ioctls];
const ONLY_FLAGS = 1, PROXIED = 2, IN_BITS = 16;
const word = (index) => (index < 0 ? null : words[index]);
const byId = (id) => document.getElementById(id);

// --- the model: parents, edges, events, lives ---------------------------------

const all = versions.map((row, index) => ({
	index, name: row[0], commit: row[1], time: row[2], parent: row[3], main: row[4], readable: row[5],
	children: [], edge: null, all: [], events: [],
}));
for (const version of all)
	if (version.parent >= 0)
		all[version.parent].children.push(version);
for (const row of edges)
	all[row[0]].edge = { parent: all[row[1]], inside: row[2] };
const changes = events.map((row) => ({
	on: row[0].map((edge) => all[edges[edge][0]]), kind: row[1], family: word(row[2]), name: word(row[3]), was: word(row[4]),
	classes: row[5], flags: row[6], text: row[7],
}));
for (const change of changes)
	for (const version of change.on)
		version.all.push(change);

// The filter. shown has a bit for each selected class; 0 selects all classes. shownFamily is the selected family; '' selects all.
// version.all has all changes of a version; version.events has those that match the filter.
let shown = 0, shownFamily = '';
const isShown = (change) => (!shown || change.classes & shown) && (!shownFamily || isOfFamily(change, shownFamily));
function showOnly(bits, family) {
	shown = bits;
	shownFamily = family;
	for (const version of all)
		version.events = bits || family ? version.all.filter(isShown) : version.all;
}
showOnly(0, '');

// The nodes of the proxy's table. version.node is the node that the proxy uses for the version.
const nodes = (data.nodes || []).map(([name, parent, supported]) => ({ name, parent, supported }));
for (const version of all)
	version.node = data.node_of ? nodes[data.node_of[version.index]] || null : null;
const isNode = (version) => Boolean(version.node) && version.node.name === version.name;
// byDate - the versions, oldest first, except that a parent always comes before its children
const byDate = [];
function placeByDate(version) {
	if (version.at !== undefined)
		return;
	if (version.parent >= 0)
		placeByDate(all[version.parent]);
	version.at = byDate.length;
	byDate.push(version);
}
for (const version of [...all].sort((a, b) => a.time - b.time || a.index - b.index))
	placeByDate(version);
const lives = data.lives.map((row) => ({ kind: row[0], family: word(row[1]), name: word(row[2]), steps: row[3], by: null }));
const lifeKey = (kind, family, name) => kind + '\n' + (family || '') + '\n' + name;
const lifeOf = new Map(lives.map((life) => [lifeKey(life.kind, life.family, life.name), life]));
const findLife = (kind, name, family) => lifeOf.get(lifeKey(kind, family, name));

// statesOf - return the index of the item's state in each version; -1: does not exist. An unreadable version has its parent's state.
function statesOf(life) {
	if (life.by)
		return life.by;
	const by = new Array(all.length).fill(undefined);
	for (let i = 0; i < life.steps.length; i += 2)
		by[life.steps[i]] = life.steps[i + 1];
	for (let start = 0; start < all.length; start++) {
		const path = [];
		let at = start;
		while (at >= 0 && by[at] === undefined) {
			path.push(at);
			at = all[at].parent;
		}
		for (const index of path)
			by[index] = at < 0 ? -1 : by[at];
	}
	return (life.by = by);
}

const stateAt = (life, version) => {
	const index = life ? statesOf(life)[version] : -1;
	return index < 0 ? null : states[life.kind][index];
};

const heaviest = (bits) => classes.findIndex((name, index) => bits & (1 << index));
const classNames = (bits) => classes.filter((name, index) => bits & (1 << index));
const day = (version) => new Date(version.time * 1000).toISOString().slice(0, 10);
const plural = (count, one, many) => count + ' ' + (count === 1 ? one : many || one + 's');
// Numbers have the notation of abi/notation.c. In the data, a number above 2^53 is a hexadecimal string.
const isText = (number) => typeof number !== 'number';
const hex = (number) => (isText(number) ? number : '0x' + number.toString(16));
const isCounted = (family, number) => data.counted.some(([counted, first, last]) => counted === family && number >= first && number <= last);
const ioctlNumber = (family, number) => (!isText(number) && isCounted(family, number) ? String(number) : hex(number));
const constantNumber = (name, value) => {
	if (isText(value) || value < 0)
		return String(value);
	return name.includes('_CMD_') ? hex(value) : value < 10 ? String(value) : `${hex(value)} (${value})`;
};

// --- making elements -------------------------------------------------------------

const svgSpace = document.querySelector('#chart svg').namespaceURI;

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {}))
		if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value === true ? '' : value);
	element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
	return element;
}
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(svgSpace, tag), attributes, children);

// address - return the fragment of a view's URL, with the current filter
const filterPart = () => [shown && 'class=' + classNames(shown).join(','), shownFamily && 'family=' + encodeURIComponent(shownFamily)].filter(Boolean).join('&');
const address = (what, value) => '#' + what + '=' + encodeURIComponent(value).replace(/%2F/g, '/') + (filterPart() && '&' + filterPart());
const homeAddress = () => '#' + filterPart();
const versionLink = (version) => make('a', { href: address('version', version.name), class: 'mono' }, version.name);
const addressOf = (kind, family, name) => address(kinds[kind], family ? family + '/' + name : name);
const lifeLink = (kind, family, name) =>
	make('a', { href: addressOf(kind, family, name), class: 'mono' }, name || '(unnamed)');

// unbroken - return the text in elements that prevent a line break inside "28 -> 12" or "-field"
const unbroken = (text) => text.split(/(\S{1,24} -> \S{1,24}|(?<= )[-+~]\S{1,48})/).map((part, index) => (index % 2 ? make('span', { class: 'unbroken' }, part) : part));

// manyVersions - return links to the first versions, and an element that shows the other links when clicked
function manyVersions(list, first = 4) {
	const links = (some) => some.flatMap((version, index) => (index ? [', ', versionLink(version)] : [versionLink(version)]));
	if (list.length <= first + 1)
		return links(list);
	const more = make('details', { class: 'more' }, make('summary', {}, `and ${list.length - first} more`));
	more.addEventListener('toggle', () => more.childElementCount > 1 || more.append(' ', make('span', {}, links(list.slice(first)))));
	return [...links(list.slice(0, first)), ' ', more];
}
