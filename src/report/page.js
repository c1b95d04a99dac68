// The page of a history: draws the data that stands in #data. Nothing is loaded, nothing is kept.
// What is shown goes by the fragment of the address: #version=V, #record=NAME (alias, enum, constant),
// #ioctl=FAMILY/NAME, #find=WORD; so the browser's own Back works, and every view can be linked to.
'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const { words, versions, edges, events, classes, kinds, roles } = data;
const RECORD = 0, ALIAS = 1, ENUM = 2, CONSTANT = 3, IOCTL = 4;
const states = [data.records, data.aliases, data.enums, data.constants, data.ioctls];
const ONLY_ACCESS = 1, PROXIED = 2, IN_BITS = 8;
const word = (index) => (index < 0 ? null : words[index]);
const byId = (id) => document.getElementById(id);

// --- the model: parents, edges, events, lives ---------------------------------

const all = versions.map((row, index) => ({
	index, name: row[0], commit: row[1], time: row[2], parent: row[3], main: row[4], readable: row[5],
	children: [], edge: null, events: [],
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
		version.events.push(change);
const byDate = [...all].sort((a, b) => a.time - b.time || a.index - b.index);
// A parent is left of what follows it, whatever the clocks said.
byDate.forEach((version, at) => { version.at = at; });
const lives = data.lives.map((row) => ({ kind: row[0], family: word(row[1]), name: word(row[2]), steps: row[3], by: null }));
const lifeKey = (kind, family, name) => kind + '\n' + (family || '') + '\n' + name;
const lifeOf = new Map(lives.map((life) => [lifeKey(life.kind, life.family, life.name), life]));
const findLife = (kind, name, family) => lifeOf.get(lifeKey(kind, family, name));

// statesOf - by version: the index of its state, or -1. What could not be read is as its parent.
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
const hex = (number) => (typeof number === 'number' ? (number < 1000 ? String(number) : '0x' + number.toString(16)) : number);

// --- making elements -------------------------------------------------------------

const plainSvg = document.querySelector('#chart svg');
const svgSpace = plainSvg.namespaceURI;

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {}))
		if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value === true ? '' : value);
	element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
	return element;
}
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(svgSpace, tag), attributes, children);

const address = (what, value) => '#' + what + '=' + encodeURIComponent(value).replace(/%2F/g, '/');
const versionLink = (version) => make('a', { href: address('version', version.name), class: 'mono' }, version.name);
const addressOf = (kind, family, name) => address(kinds[kind], family ? family + '/' + name : name);
const lifeLink = (kind, family, name) =>
	make('a', { href: addressOf(kind, family, name), class: 'mono' }, name || '(unnamed)');

// manyVersions - the first few as links, the others on demand
function manyVersions(list, first = 4) {
	const links = (some) => some.flatMap((version, index) => (index ? [', ', versionLink(version)] : [versionLink(version)]));
	if (list.length <= first + 1)
		return links(list);
	const more = make('details', { class: 'more' }, make('summary', {}, `and ${list.length - first} more`));
	more.addEventListener('toggle', () => more.childElementCount > 1 || more.append(' ', make('span', {}, links(list.slice(first)))));
	return [...links(list.slice(0, first)), ' ', more];
}

// --- the graph ----------------------------------------------------------------------

const LEFT = 8, LANE = 17, BARS = 118;

// Main is the top lane; a branch takes the first lane that is free from its root on to its last tag.
function placeLanes() {
	const branches = [];
	for (const version of byDate) {
		const parent = version.parent < 0 ? null : all[version.parent];
		if (version.main)
			version.branch = null;
		else if (parent && parent.branch && parent.branch.tip === parent)
			version.branch = parent.branch;
		else
			branches.push(version.branch = { first: version, root: parent, tip: version });
		if (version.branch)
			version.branch.tip = version;
	}
	const busy = [];
	for (const branch of branches) {
		const from = branch.root ? branch.root.at : branch.first.at;
		let lane = 0;
		while (busy[lane] !== undefined && busy[lane] >= from)
			lane++;
		busy[lane] = branch.tip.at + 4;
		branch.lane = lane + 1;
	}
	for (const version of all)
		version.lane = version.branch ? version.branch.lane : 0;
	return busy.length + 1;
}

function drawChart() {
	const step = Math.max(7.4, 1400 / all.length), lanes = placeLanes(), top = 44, bars = top + lanes * LANE + 14;
	const width = LEFT * 2 + step * all.length, height = bars + BARS + 22;
	const most = Math.max(1, ...all.map((version) => version.events.length));
	const x = (version) => LEFT + step * (version.at + 0.5);
	const y = (version) => top + version.lane * LANE;
	const back = draw('g'), lines = draw('g'), dots = draw('g'), hits = draw('g');
	let release = '', labelled = -99, year = '';

	for (const version of byDate) {
		const parent = version.parent < 0 ? null : all[version.parent];
		const count = version.events.length;
		const bits = version.events.reduce((sum, change) => sum | change.classes, 0);

		if (parent) {
			const bend = parent.lane === version.lane ? '' :
				`C${x(parent) + step * 0.8} ${y(parent)} ${x(parent)} ${y(version)} ${Math.min(x(version), x(parent) + step * 1.6)} ${y(version)}`;
			lines.append(draw('path', { class: 'lane' + (version.main ? ' main' : ''), d: `M${x(parent)} ${y(parent)}${bend}L${x(version)} ${y(version)}` }));
		}
		dots.append(draw('circle', {
			cx: x(version), cy: y(version), r: count ? (3 + 4.5 * Math.sqrt(count / most)).toFixed(2) : 2.4,
			class: !version.readable ? 'unread' : count ? 'dot ' + classes[heaviest(bits)] : 'quiet',
		}));
		stackBar(dots, version, x(version), step, bars + BARS, most);
		const number = version.name.split('.')[0];
		if (version.main && number !== release) {
			release = number;
			if (x(version) - labelled > 24) {
				back.append(draw('text', { x: x(version), y: top - 12, 'text-anchor': 'middle' }, number));
				labelled = x(version);
			}
		}
		if (version.branch && version.branch.first === version)
			back.append(draw('text', { x: x(version.branch.tip) + 9, y: y(version) + 3.5 }, number));
		if (day(version).slice(0, 4) !== year) {
			year = day(version).slice(0, 4);
			back.append(draw('line', { class: 'rule', x1: x(version) - step / 2, x2: x(version) - step / 2, y1: 8, y2: bars + BARS }),
				draw('text', { x: x(version) - step / 2 + 3, y: 14 }, year));
		}
		const hit = draw('rect', { class: 'hit', x: x(version) - step / 2, y: 18, width: step, height: bars + BARS - 18 },
			draw('title', {}, describe(version)));
		hit.addEventListener('click', () => { location.hash = address('version', version.name); });
		hits.append(hit);
		version.hit = hit;
	}
	back.append(draw('line', { class: 'rule', x1: LEFT, x2: width - LEFT, y1: bars + BARS, y2: bars + BARS }));
	const svg = draw('svg', { viewBox: `0 0 ${width.toFixed(1)} ${height}`, tabindex: 0, role: 'application',
		'aria-label': 'The versions along the commit graph; the arrow keys move from one to the next' }, back, lines, dots, hits);
	svg.addEventListener('keydown', moveByKey);
	plainSvg.replaceWith(svg);
}

// stackBar - the changes of one step, each counted under its weightiest class, on a square root scale
function stackBar(group, version, center, step, foot, most) {
	const count = new Array(classes.length).fill(0);
	for (const change of version.events)
		count[heaviest(change.classes)]++;
	const total = version.events.length;
	const height = Math.sqrt(total / most) * BARS;
	let at = foot;
	for (let index = classes.length - 1; index >= 0; index--)
		if (count[index]) {
			const part = height * count[index] / total;
			at -= part;
			group.append(draw('rect', { class: 'bar ' + classes[index], x: (center - step * 0.4).toFixed(2), y: at.toFixed(2),
				width: (step * 0.8).toFixed(2), height: part.toFixed(2) }));
		}
}

function describe(version) {
	const count = new Array(classes.length).fill(0);
	for (const change of version.events)
		classes.forEach((name, index) => { count[index] += (change.classes >> index) & 1; });
	const after = version.edge ? ` after ${version.edge.parent.name}` : '';
	const parts = classes.map((name, index) => (count[index] ? `${count[index]} ${name}` : '')).filter(Boolean).join(', ');
	return `${version.name}${after}, ${day(version)}\n` + (!version.readable ? 'could not be read' :
		!version.edge ? 'compared with nothing' : version.events.length ? plural(version.events.length, 'change') + ': ' + parts : 'no change');
}

let chosen = null;

function choose(version) {
	for (const old of document.querySelectorAll('.chosen'))
		old.classList.remove('chosen');
	chosen = version;
	if (version) {
		version.hit.classList.add('chosen');
		const row = document.querySelector(`#versions tr[data-v="${version.index}"]`);
		if (row)
			row.classList.add('chosen');
	}
}

function moveByKey(key) {
	const from = chosen || byDate[byDate.length - 1];
	const to = !chosen ? from :
		key.key === 'ArrowLeft' ? byDate[from.at - 1] :
		key.key === 'ArrowRight' ? byDate[from.at + 1] :
		key.key === 'ArrowUp' ? all[from.parent] :
		key.key === 'ArrowDown' ? from.children[0] : null;
	if (!key.key.startsWith('Arrow'))
		return;
	key.preventDefault();
	if (to) {
		history.replaceState(null, '', address('version', to.name));
		show(false);
	}
}

// --- lists of changes ------------------------------------------------------------

const LONG = 260;

function changeText(text) {
	if (text.length <= LONG)
		return text;
	const more = make('details', { class: 'more' }, make('summary', {}, 'all of it'));
	const cut = make('span', {}, text.slice(0, LONG) + '… ');
	more.addEventListener('toggle', () => { cut.textContent = text; more.remove(); }, { once: true });
	return [cut, more];
}

function changeItem(change, here) {
	const others = change.on.filter((version) => version !== here);
	return make('li', { class: classes[heaviest(change.classes)] },
		make('span', { class: 'kind' }, kinds[change.kind]), lifeLink(change.kind, change.family, change.name),
		classNames(change.classes).map((name) => make('span', { class: 'tag ' + name }, name)),
		change.flags & PROXIED ? make('span', { class: 'tag' }, 'proxied') : null,
		change.text ? make('span', { class: 'what' }, ' ', changeText(change.text)) : null,
		others.length ? make('span', { class: 'dim' }, here ? ' · also at ' : ' · at ', manyVersions(others)) : null);
}

const changeList = (list, here) => make('ul', { class: 'changes' }, list.map((change) => changeItem(change, here)));

function showVersion(version) {
	const listed = version.events.filter((change) => !(change.flags & ONLY_ACCESS));
	const access = version.events.filter((change) => change.flags & ONLY_ACCESS);
	const inside = version.edge && version.edge.inside ? `, inside release ${version.name.split('.')[0]}` : '';
	const parts = [
		make('h2', {}, make('span', { class: 'mono' }, version.name), version.edge ? [' after ', versionLink(version.edge.parent), inside] : ''),
		make('p', { class: 'dim' }, `${day(version)}, commit `, make('code', {}, version.commit.slice(0, 12)),
			version.main ? ', on the main branch' : '',
			version.children.length ? ['; followed by ', manyVersions(version.children)] : '; nothing follows it', '.'),
		make('p', {}, describe(version).split('\n')[1] + '.'),
	];
	classes.forEach((name, index) => {
		const list = listed.filter((change) => heaviest(change.classes) === index);
		if (list.length)
			parts.push(make('h3', {}, `${name} (${list.length})`), changeList(list, version));
	});
	if (access.length) {
		const more = make('details', {}, make('summary', {}, `${plural(access.length, 'ioctl')} changed only in flags or access rights`));
		more.addEventListener('toggle', () => more.childElementCount > 1 || more.append(changeList(access, version)));
		parts.push(more);
	}
	return parts;
}

// --- the layouts of a record --------------------------------------------------------

const BYTE = 34, ROW = 19, GUTTER = 46, ROW_BITS = 64, MAX_ROWS = 420, CUT_ROW = 12;

function fieldsOf(state) {
	const flat = state[3], fields = [];
	for (let i = 0; i < flat.length; i += 5) {
		const unit = flat[i + 4] & IN_BITS ? 1 : 8;
		fields.push({ name: words[flat[i]], type: words[flat[i + 1]], at: flat[i + 2] * unit, size: flat[i + 3] * unit, role: roles[flat[i + 4] & 7] });
	}
	return fields;
}

const baseType = (type) => type.replace(/(\[\d*\])+$/, '');

// recordBehind - the record that a type is, through aliases, at a version
function recordBehind(type, version) {
	for (let name = baseType(type), left = 16; left; left--) {
		const record = findLife(RECORD, name);
		if (stateAt(record, version))
			return record;
		const alias = stateAt(findLife(ALIAS, name), version);
		if (!alias)
			return null;
		name = baseType(words[alias[0]]);
	}
	return null;
}

// signature - what a record is at a version, with all that it is made of
function signature(life, version, inside = []) {
	life.signatures = life.signatures || new Map();
	const known = life.signatures.get(version);
	if (known !== undefined)
		return known;
	const state = stateAt(life, version);
	let text = '';
	if (state && !inside.includes(life)) {
		const parts = [statesOf(life)[version]];
		for (const field of fieldsOf(state)) {
			const record = recordBehind(field.type, version);
			if (record)
				parts.push(signature(record, version, [...inside, life]));
		}
		text = '(' + parts.join(' ') + ')';
	}
	if (!inside.includes(life))
		life.signatures.set(version, text);
	return text;
}

// deepRole - the weightiest thing that a record carries anywhere
function deepRole(life, version, depth = 0) {
	const state = stateAt(life, version);
	let found = '';
	for (const field of state && depth < 8 ? fieldsOf(state) : []) {
		const record = recordBehind(field.type, version);
		const role = record ? deepRole(record, version, depth + 1) : field.role;
		for (const one of ['pid', 'handle', 'fd', 'pointer'])
			if (one === role && ['', 'pid', 'handle', 'fd', 'pointer'].indexOf(role) > ['', 'pid', 'handle', 'fd', 'pointer'].indexOf(found))
				found = role;
	}
	return found;
}

// leavesOf - what is drawn: scalars, arrays and unions as one box each, plain records taken apart
function leavesOf(state, version, prefix = '', base = 0, out = [], depth = 0) {
	for (const field of fieldsOf(state)) {
		const record = recordBehind(field.type, version), path = prefix + field.name, inner = record && stateAt(record, version);
		const isArray = field.type.endsWith(']');
		if (inner && !isArray && !inner[2] && depth < 8 && inner[3].length && out.length < 4000) {
			leavesOf(inner, version, field.name ? path + '.' : prefix, base + field.at, out, depth + 1);
			continue;
		}
		out.push({
			path: path || (inner ? 'one of ' + fieldsOf(inner).map((one) => one.name || '(unnamed)').join(', ') : '(unnamed)'),
			type: field.type, at: base + field.at, size: field.size, record,
			role: record ? deepRole(record, version) : field.role, isUnion: inner && inner[2],
		});
	}
	return out;
}

function holesOf(leaves, bits) {
	const holes = [];
	let end = 0;
	for (const leaf of [...leaves].sort((a, b) => a.at - b.at)) {
		if (leaf.at > end)
			holes.push({ path: '', at: end, size: leaf.at - end, hole: true });
		end = Math.max(end, leaf.at + leaf.size);
	}
	if (bits > end)
		holes.push({ path: '', at: end, size: bits - end, hole: true });
	return holes;
}

const bytes = (bits) => (bits % 8 ? `${Math.floor(bits / 8)}:${bits % 8}` : String(bits / 8));
const sizeWords = (bits) => (bits % 8 ? plural(bits, 'bit') : plural(bits / 8, 'byte'));

// rowTops - where each row of 8 bytes is; the middle of a long array is left out
function rowTops(leaves, bits) {
	const count = Math.max(1, Math.ceil(bits / ROW_BITS)), skip = new Map();
	for (const leaf of leaves) {
		const first = Math.ceil(leaf.at / ROW_BITS), last = Math.floor((leaf.at + leaf.size) / ROW_BITS) - 1;
		if (last - first > 4)
			skip.set(first + 2, last - 1);
	}
	const rows = { top: new Map(), cuts: [], height: 0, end: count };
	for (let row = 0, drawn = 0; row < count; row++, drawn++) {
		if (drawn > MAX_ROWS) {
			rows.end = row;
			break;
		}
		if (skip.has(row)) {
			rows.cuts.push({ top: rows.height, rows: skip.get(row) - row });
			rows.height += CUT_ROW;
			row = skip.get(row);
		}
		rows.top.set(row, rows.height);
		rows.height += ROW;
	}
	return rows;
}

// shapeOf - the outline of bits from..to: part of a row, whole rows, part of a row
function shapeOf(from, to, rows) {
	const first = Math.floor(from / ROW_BITS), last = Math.floor((to - 1) / ROW_BITS);
	const x = (bit) => GUTTER + bit * BYTE / 8, top = (row) => rows.top.get(row);
	const x1 = x(from % ROW_BITS), x2 = x((to - 1) % ROW_BITS + 1), right = x(ROW_BITS), left = x(0);
	const y1 = top(first), y2 = top(last);
	if (y1 === undefined || y2 === undefined)
		return null;
	if (first === last)
		return { d: `M${x1} ${y1}H${x2}V${y1 + ROW}H${x1}Z`, x: x1, y: y1, width: x2 - x1 };
	const room = last - first > 1 || x1 === left ? { x: left, width: right - left, y: x1 === left ? y1 : top(first + 1) } :
		right - x1 >= x2 - left ? { x: x1, width: right - x1, y: y1 } : { x: left, width: x2 - left, y: y2 };
	if (last - first === 1 && x1 >= x2)
		return { d: `M${x1} ${y1}H${right}V${y1 + ROW}H${x1}ZM${left} ${y2}H${x2}V${y2 + ROW}H${left}Z`, ...room };
	return { d: `M${x1} ${y1}H${right}V${y2}H${x2}V${y2 + ROW}H${left}V${y1 + ROW}H${x1}Z`, ...room };
}

const fits = (text, width) => {
	const count = Math.floor((width - 6) / 6.05);
	return text.length <= count ? text : count < 2 ? '' : text.slice(0, count - 1) + '…';
};

function fieldBox(leaf, rows, mark) {
	const shape = shapeOf(leaf.at, leaf.at + leaf.size, rows);
	if (!shape)
		return null;
	const carried = leaf.record ? 'nested' : '';
	const kind = leaf.hole ? 'hole' : ['pointer', 'fd', 'handle', 'pid'].includes(leaf.role) ? leaf.role : carried;
	const array = leaf.type && leaf.type.match(/(\[\d*\])+$/);
	const title = leaf.hole ? `hole of ${sizeWords(leaf.size)} at ${bytes(leaf.at)}` :
		`${leaf.path}\n${leaf.type}${leaf.role ? ' (' + leaf.role + (leaf.record ? ' inside' : '') + ')' : ''}\n${sizeWords(leaf.size)} at ${bytes(leaf.at)}` +
		(mark ? '\n' + mark.says : '');
	const label = leaf.hole ? '' : (leaf.isUnion ? '∪ ' : '') + leaf.path + (array ? array[0] : '');
	const box = [draw('path', { d: shape.d, class: kind + (mark ? ' ' + mark.class : '') }, draw('title', {}, title)),
		draw('text', { x: shape.x + 4, y: shape.y + 13 }, fits(label, shape.width))];
	return leaf.record ? draw('a', { href: addressOf(RECORD, null, leaf.record.name) }, box) : draw('g', {}, box);
}

// drawMap - leaves at their places, 8 bytes a row
function drawMap(leaves, bits, marks) {
	const boxes = [...leaves.filter((leaf) => leaf.size), ...holesOf(leaves, bits)];
	const rows = rowTops(boxes, bits), right = GUTTER + 8 * BYTE;
	const svg = draw('svg', { class: 'map', width: right + 4, height: rows.height + 4, viewBox: `-1 -2 ${right + 4} ${rows.height + 4}` });
	for (const [row, top] of rows.top)
		svg.append(draw('text', { class: 'at', x: GUTTER - 6, y: top + 13, 'text-anchor': 'end' }, String(row * 8)));
	// The outlines that say something lie above the others.
	const drawn = boxes.map((leaf) => [marks && marks.get(leaf.path), leaf]).sort((a, b) => (a[0] ? 1 : 0) - (b[0] ? 1 : 0));
	for (const [mark, leaf] of drawn) {
		const box = fieldBox(leaf, rows, leaf.hole ? null : mark);
		if (box)
			svg.append(box);
	}
	for (const cut of rows.cuts) {
		let wave = `M${GUTTER - 4} ${cut.top + CUT_ROW / 2}`;
		for (let x = GUTTER; x < right + 2; x += 8)
			wave += 'q2 -5 4 0t4 0';
		svg.append(draw('path', { class: 'cut', d: wave }), draw('text', { class: 'at', x: GUTTER - 6, y: cut.top + 9, 'text-anchor': 'end' }, '⋮'));
	}
	const missing = Math.ceil(bits / ROW_BITS) - rows.end;
	return missing > 0 ? [svg, make('p', { class: 'dim' }, `… and ${missing * 8} more bytes`)] : svg;
}

// compareLeaves - by path: what is new or other than before, and what is gone
function compareLeaves(was, is) {
	const before = new Map(was.map((leaf) => [leaf.path, leaf])), marks = new Map();
	for (const leaf of is) {
		const old = before.get(leaf.path);
		if (!old)
			marks.set(leaf.path, { class: 'is-new', says: 'new' });
		else if (old.type !== leaf.type || old.size !== leaf.size)
			marks.set(leaf.path, { class: 'is-other', says: `was ${old.type}, ${sizeWords(old.size)} at ${bytes(old.at)}` });
		else if (old.at !== leaf.at)
			marks.set(leaf.path, { class: 'is-moved', says: `moved from ${bytes(old.at)}` });
		before.delete(leaf.path);
	}
	return { marks, gone: [...before.keys()] };
}

// mapOf - the drawing of one layout; the members of a union lie one below the other, each from byte 0
function mapOf(life, version, before) {
	const state = stateAt(life, version), old = before === null ? null : stateAt(life, before);
	const leaves = leavesOf(state, version);
	const seen = old ? compareLeaves(leavesOf(old, before), leaves) : null;
	const parts = [];
	if (state[2])
		for (const leaf of leaves) {
			const label = make('p', { class: 'mono' }, leaf.path);
			parts.push(label, drawMap([leaf], leaf.size, seen && seen.marks));
		}
	else
		parts.push(drawMap(leaves, state[0] * 8, seen && seen.marks));
	const none = leaves.filter((leaf) => !leaf.size);
	if (none.length)
		parts.push(make('p', { class: 'dim' }, 'Without a size of its own: ' + none.map((leaf) => `${leaf.path} at ${bytes(leaf.at)} (${leaf.type})`).join(', ')));
	if (seen && seen.gone.length)
		parts.push(make('p', { class: 'gone' }, 'Gone: ', seen.gone.slice(0, 40).join(', '), seen.gone.length > 40 ? ` and ${seen.gone.length - 40} more` : ''));
	return parts;
}

// --- the life of a thing ----------------------------------------------------------

// phasesOf - its distinct states, in the order of the versions that brought them; -1 is no phase
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
			phases.set(own, { index: phases.size, versions: [], came: [] });
		const phase = phases.get(own);
		phase.versions.push(version);
		if (version.parent < 0 || key(version.parent) !== own)
			phase.came.push(version);
	}
	const list = [...phases.values()];
	for (const phase of list)
		phase.versions.sort((a, b) => a.index - b.index);
	return list;
}

function stripOf(phases) {
	const of = new Map(phases.flatMap((phase) => phase.versions.map((version) => [version, phase.index])));
	return make('div', { class: 'strip', role: 'img', 'aria-label': 'Which version has which' }, all.map((version) => {
		const index = of.get(version);
		return make('a', { href: address('version', version.name), tabindex: -1, class: index === undefined ? '' : 's' + index % 8,
			title: `${version.name}: ${index === undefined ? 'not there' : 'state ' + (index + 1)}` });
	}));
}

function phaseCaption(phase, text) {
	const last = phase.versions[phase.versions.length - 1];
	return [make('b', {}, `${phase.index + 1}. `), text, make('br'), 'came with ', manyVersions(phase.came, 3), make('br'),
		make('span', { class: 'dim' }, `${plural(phase.versions.length, 'version')}, the newest `), versionLink(last)];
}

function roleLegend() {
	const key = (name, text) => make('span', { class: 'key ' + name }, text);
	return make('p', { class: 'roles' }, key('pointer', 'pointer'), key('handle', 'handle'), key('fd', 'file descriptor'), key('pid', 'process id'),
		key('nested', 'record without these'), key('hole', 'hole'),
		make('span', {}, '8 bytes a row. Outlined against the layout before: ', make('span', { style: 'color:var(--added)' }, 'new'), ', ',
			make('span', { style: 'color:var(--layout)' }, 'moved'), ', ', make('span', { style: 'color:var(--value)' }, 'other type or size')));
}

function recordFigures(life, phases) {
	return [roleLegend(), make('div', { class: 'lives', tabindex: 0, 'aria-label': 'Its layouts, side by side' }, phases.map((phase) => {
		const version = phase.came[0] || phase.versions[0], state = stateAt(life, version.index);
		const parent = version.parent >= 0 && stateAt(life, version.parent) ? version.parent : null;
		return make('figure', {}, make('figcaption', { class: 's' + phase.index % 8 },
			phaseCaption(phase, `${state[2] ? 'union, ' : ''}${plural(state[0], 'byte')}, aligned to ${state[1]}`)), mapOf(life, version.index, parent));
	}))];
}

function valueRows(kind, state) {
	if (kind === ALIAS)
		return [[words[state[0]]], [plural(state[1], 'byte')]];
	if (kind === CONSTANT)
		return [[hex(state)]];
	if (kind === ENUM) {
		const pairs = [];
		for (let i = 0; i < state[2].length; i += 2)
			pairs.push(`${words[state[2][i]]} = ${state[2][i + 1]}`);
		return [[words[state[0]]], [plural(pairs.length, 'value')], pairs.flatMap((pair) => [pair, make('br')])];
	}
	const params = word(state[1]);
	return [[hex(state[0])], [params ? lifeLink(RECORD, null, params) : 'no parameters'], [state[2].map((flag) => words[flag]).join(', ') || 'no flags'],
		[word(state[3]) || '']];
}

function stateTable(life, phases) {
	return make('table', {}, make('tbody', {}, phases.map((phase) => make('tr', {}, make('td', { class: 's' + phase.index % 8 + ' h4' }, String(phase.index + 1)),
		valueRows(life.kind, stateAt(life, phase.versions[0].index)).map((cell) => make('td', { class: 'mono' }, cell)),
		make('td', {}, 'came with ', manyVersions(phase.came)), make('td', { class: 'dim' }, plural(phase.versions.length, 'version'))))));
}

const isAbout = (change, life) => (change.name === life.name || change.was === life.name) && change.kind === life.kind &&
	(life.kind !== IOCTL || change.family === life.family);

// carriers - the ioctls whose parameters a record ever was
function carriers(life) {
	const found = [];
	for (const other of lives)
		if (other.kind === IOCTL && other.steps.some((state, index) => index % 2 && state >= 0 && word(data.ioctls[state][1]) === life.name))
			found.push(other);
	return found;
}

// sameNumber - the other ioctls of the family that ever had one of its numbers
function sameNumber(life) {
	const own = new Set(life.steps.filter((state, index) => index % 2 && state >= 0).map((state) => String(data.ioctls[state][0])));
	return lives.filter((other) => other !== life && other.kind === IOCTL && other.family === life.family &&
		other.steps.some((state, index) => index % 2 && state >= 0 && own.has(String(data.ioctls[state][0]))));
}

const linkList = (title, found) => (!found.length ? null : make('p', {}, title + ' ', found.slice(0, 60).flatMap((life, index) =>
	(index ? [', ', lifeLink(life.kind, life.family, life.name)] : [lifeLink(life.kind, life.family, life.name)])),
	found.length > 60 ? ` and ${found.length - 60} more` : '', '.'));

function paramsOf(life) {
	const names = new Set(life.steps.filter((state, index) => index % 2 && state >= 0).map((state) => word(data.ioctls[state][1])).filter(Boolean));
	return [...names].map((name) => findLife(RECORD, name)).filter(Boolean);
}

function showLife(life) {
	const phases = phasesOf(life), about = changes.filter((change) => isAbout(change, life));
	const present = phases.reduce((sum, phase) => sum + phase.versions.length, 0);
	const parts = [
		make('h2', {}, (life.family ? life.family + ' ' : '') + kinds[life.kind] + ' ', make('span', { class: 'mono' }, life.name)),
		make('p', { class: 'dim' }, `${plural(phases.length, life.kind === RECORD ? 'layout' : 'state')} in ${present} of ${plural(all.length, 'version')}, in the order of versions:`),
		stripOf(phases),
		life.kind === RECORD ? linkList('Carried by', carriers(life)) : null,
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

function numbered(number) {
	return lives.filter((life) => (life.kind === IOCTL || life.kind === CONSTANT) && life.steps.some((state, index) =>
		index % 2 && state >= 0 && isNumber(life.kind === IOCTL ? data.ioctls[state][0] : data.constants[state], number)));
}

function spanWords(life, number) {
	const by = statesOf(life);
	const has = (index) => by[index] >= 0 && (number === null || isNumber(life.kind === IOCTL ? data.ioctls[by[index]][0] : data.constants[by[index]], number));
	const here = all.filter((version) => has(version.index));
	const came = here.filter((version) => version.parent < 0 || !has(version.parent));
	const left = all.filter((version) => version.parent >= 0 && has(version.parent) && !has(version.index));
	return [' since ', manyVersions(came, 3), left.length ? ['; no more at ', manyVersions(left, 3)] : '', `; in ${here.length} of ${all.length} versions`];
}

function showFound(text) {
	const number = numberOf(text), wanted = text.toLowerCase();
	const rank = (life) => {
		const name = life.name.toLowerCase();
		return name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
	};
	const found = number !== null ? numbered(number).sort((a, b) => b.kind - a.kind) :
		lives.filter((life) => life.name.toLowerCase().includes(wanted)).sort((a, b) => rank(a) - rank(b));
	return [
		make('h2', {}, found.length ? plural(found.length, number !== null ? 'thing' : 'name') : 'Nothing', number !== null ? ' had the number ' : ' with ', make('span', { class: 'mono' }, text)),
		found.length > FOUND_MAX ? make('p', { class: 'dim' }, `The first ${FOUND_MAX}; type more of the name to see the others.`) : null,
		make('ul', { class: 'changes' }, found.slice(0, FOUND_MAX).map((life) => make('li', {}, make('span', { class: 'kind' }, life.family || kinds[life.kind]),
			lifeLink(life.kind, life.family, life.name), make('span', { class: 'what' }, spanWords(life, number))))),
	];
}

// --- what the address says -------------------------------------------------------------

function parseAddress() {
	const match = /^#([a-z]+)=(.*)$/.exec(location.hash);
	if (!match)
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
	const life = lifeFor(wanted);
	return life ? showLife(life) : null;
}

function show(scroll = true) {
	const panel = byId('panel'), wanted = parseAddress();
	choose(null);
	const content = wanted && (contentOf(wanted) || [make('h2', {}, 'There is no ', wanted.what, ' ', make('span', { class: 'mono' }, wanted.value)),
		make('p', {}, make('a', { href: address('find', wanted.value) }, 'Look for names like it'), '.')]);
	panel.hidden = !content;
	panel.replaceChildren(...(content ? [make('a', { class: 'back', href: '#' }, 'close'), ...content.flat(Infinity).filter(Boolean)] : []));
	if (wanted && wanted.what === 'find' && byId('query') !== document.activeElement)
		byId('query').value = wanted.value;
	if (scroll && content && wanted.what !== 'find')
		panel.scrollIntoView({ block: wanted.what === 'version' ? 'nearest' : 'start' });
}

function drawLegend() {
	const says = ['a pointer, fd, handle or pid came, went or moved', 'offset, size, type or length of existing bytes',
		'an ioctl or class number, or its parameter record', 'bytes appended, or taken from padding', 'an enumerator or constant',
		'renamed in place, same bytes', 'new', 'gone'];
	byId('legend').append(...classes.map((name, index) => make('span', { class: 'key ' + name, title: says[index] }, name)));
}

function start() {
	byId('graph').hidden = byId('search').hidden = false;
	drawLegend();
	drawChart();
	const table = byId('versions');
	table.classList.add('live');
	for (const row of table.tBodies[0].rows) {
		const head = row.cells[0], name = head.textContent;
		head.replaceChildren(make('a', { href: address('version', name) }, name));
	}
	table.tBodies[0].addEventListener('click', (click) => {
		const row = click.target.closest('tr');
		if (row)
			location.hash = address('version', all[row.dataset.v].name);
	});
	// A hatch that all drawings share.
	document.body.append(draw('svg', { width: 0, height: 0, style: 'position:absolute', 'aria-hidden': 'true' }, draw('defs', {},
		draw('pattern', { id: 'hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
			draw('line', { x1: 0, y1: 0, x2: 0, y2: 5, style: 'stroke:var(--hatch);stroke-width:2' })))));
	let pause = 0;
	const find = () => {
		const text = byId('query').value.trim();
		history.replaceState(null, '', text ? address('find', text) : '#');
		show(false);
	};
	byId('query').addEventListener('input', () => { clearTimeout(pause); pause = setTimeout(find, 90); });
	byId('search').addEventListener('submit', (submit) => {
		submit.preventDefault();
		clearTimeout(pause);
		find();
		const first = document.querySelector('#panel ul a');
		if (first)
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
			history.pushState(null, '', '#');
			show(false);
			document.querySelector('#chart svg').focus({ preventScroll: true });
		}
	});
	addEventListener('hashchange', () => show());
	show();
}

start();
})();
