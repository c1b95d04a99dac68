// The drawing of the releases along the commit graph, and the list of changes of one release.
'use strict';

const LEFT = 8, RIGHT = 30, TOP = 44, LANE = 17, BARS = 118;

// Sets the lane of each version. The main branch has the top lane. Each other branch gets the first lane that is free from its root
// to its last version.
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

// chartOf - compute the coordinates of the drawing: x follows from the date, y from the lane; the bars are below the lanes
function chartOf() {
	const lanes = placeLanes(), step = Math.min(60, Math.max(7.2, 1370 / all.length)), bars = TOP + lanes * LANE + 14;
	return {
		step, foot: bars + BARS, width: LEFT + step * all.length + RIGHT, height: bars + BARS + 12,
		most: Math.max(1, ...all.map((version) => version.events.length)),
		x: (version) => LEFT + step * (version.at + 0.5),
		y: (version) => TOP + version.lane * LANE,
	};
}

function drawEdge(chart, version) {
	const { x, y, step } = chart, parent = all[version.parent];
	const turn = Math.min(x(version), x(parent) + step * 1.6);
	const bend = parent.lane === version.lane ? '' : `C${x(parent) + step * 0.8} ${y(parent)} ${x(parent)} ${y(version)} ${turn} ${y(version)}`;
	return draw('path', { class: 'lane' + (version.main ? ' main' : ''), d: `M${x(parent)} ${y(parent)}${bend}L${x(version)} ${y(version)}` });
}

const classesOf = (version) => version.events.reduce((bits, change) => bits | change.classes, 0);

function drawDot(chart, version) {
	const count = version.events.length;
	return draw('circle', {
		cx: chart.x(version), cy: chart.y(version), r: count ? (3 + 4.5 * Math.sqrt(count / chart.most)).toFixed(2) : 2.4,
		class: !version.readable ? 'unread' : count ? 'dot ' + classes[heaviest(classesOf(version))] : 'quiet',
	});
}

// drawHit - draw a transparent rectangle over the column of a version, which can be clicked
function drawHit(chart, version) {
	version.hit = draw('rect', { class: 'hit', x: chart.x(version) - chart.step / 2, y: 18, width: chart.step, height: chart.foot - 18 },
		draw('title', {}, describe(version)));
	version.hit.addEventListener('click', () => { location.hash = address('version', version.name); });
	return version.hit;
}

// drawNames - label the first version of each release on the main branch, the last version of each other branch, and the years
function drawNames(chart) {
	const { x, y, step, foot } = chart, names = draw('g');
	let release = '', labelled = -99, year = '';
	for (const version of byDate) {
		const number = version.name.split('.')[0];
		if (version.main && number !== release) {
			release = number;
			if (x(version) - labelled > 24) {
				names.append(draw('text', { x: x(version), y: TOP - 12, 'text-anchor': 'middle' }, number));
				labelled = x(version);
			}
		}
		if (version.branch && version.branch.tip === version)
			names.append(draw('text', { x: x(version) + 9, y: y(version) + 3.5 }, number));
		if (day(version).slice(0, 4) > year) {
			year = day(version).slice(0, 4);
			const left = x(version) - step / 2;
			names.append(draw('line', { class: 'rule', x1: left, x2: left, y1: 8, y2: foot }), draw('text', { x: left + 3, y: 14 }, year));
		}
	}
	return names;
}

// drawNode - draw a triangle below a version that is a node of the proxy's table; it is hollow if the table does not support the version
function drawNode({ x, foot }, version) {
	const left = x(version) - 3.5, { supported, parent } = version.node;
	return draw('path', { class: supported ? 'node' : 'node between', d: `M${left} ${foot + 8}h7l-3.5 -6z` },
		draw('title', {}, `node of ${data.proxy}${parent < 0 ? '' : ', after ' + nodes[parent].name}${supported ? '' : ', not supported'}`));
}

function drawChart() {
	const chart = chartOf(), { width, height, foot } = chart;
	const bars = draw('g', {}, drawAxis(chart), byDate.filter((version) => version.events.length).map((version) => drawBar(chart, version)));
	const svg = draw('svg', { viewBox: `0 0 ${width.toFixed(1)} ${height}`, tabindex: 0,
		style: `min-width:min(980px,${width.toFixed()}px);max-width:${(width * 1.25).toFixed()}px`, role: 'application',
		'aria-label': 'The versions along the commit graph; the arrow keys move between versions' },
	drawNames(chart),
	draw('g', {}, byDate.filter((version) => version.parent >= 0).map((version) => drawEdge(chart, version))),
	draw('g', {}, byDate.map((version) => drawDot(chart, version))), bars,
	draw('g', {}, byDate.map((version) => drawHit(chart, version))),
	draw('g', {}, byDate.filter(isNode).map((version) => drawNode(chart, version))));
	svg.addEventListener('keydown', moveByKey);
	document.querySelector('#chart svg').replaceWith(svg);
}

// rise - return the height of the bar for a number of changes; the bar for one change is high enough to be visible
const rise = (chart, count) => (0.06 + 0.94 * Math.log10(count) / Math.log10(Math.max(10, chart.most))) * BARS;

// drawAxis - draw a line for 1, 10, 100, … changes, with the number at both ends
function drawAxis(chart) {
	const { width, foot } = chart, axis = draw('g', {}, draw('text', { x: LEFT, y: foot - BARS - 5 }, 'changes, logarithmic'));
	for (let count = 1; count <= Math.max(10, chart.most); count *= 10) {
		const y = foot - rise(chart, count);
		axis.append(draw('line', { class: 'rule', x1: LEFT, x2: width - RIGHT, y1: y, y2: y }),
			...[LEFT, width - RIGHT].map((x) => draw('text', { x: x + 2, y: y + 3.5 }, String(count))));
	}
	axis.append(draw('line', { class: 'rule', x1: LEFT, x2: width - RIGHT, y1: foot, y2: foot }));
	return axis;
}

// drawBar - draw the bar for the changes of a version, in the color of the most important class among them
function drawBar(chart, version) {
	const height = rise(chart, version.events.length);
	return draw('rect', { class: 'bar ' + classes[heaviest(classesOf(version))], x: (chart.x(version) - chart.step * 0.4).toFixed(2), y: (chart.foot - height).toFixed(2),
		width: (chart.step * 0.8).toFixed(2), height: height.toFixed(2) });
}

function describe(version) {
	const count = new Array(classes.length).fill(0);
	for (const change of version.events)
		classes.forEach((name, index) => { count[index] += (change.classes >> index) & 1; });
	const after = version.edge ? ` after ${version.edge.parent.name}` : '';
	const parts = classes.map((name, index) => (count[index] ? `${count[index]} ${name}` : '')).filter(Boolean).join(', ');
	const hidden = version.all.length - version.events.length;
	return `${version.name}${after}, ${day(version)}\n` + (!version.readable ? 'could not be read' :
		!version.edge ? 'not compared: no version before it' : version.events.length ? plural(version.events.length, 'change') + ': ' + parts : 'no change') +
		(hidden ? `; ${hidden} of other classes` : '');
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
		return unbroken(text);
	const more = make('details', { class: 'more' }, make('summary', {}, 'show all'));
	const cut = make('span', {}, unbroken(text.slice(0, LONG)), '… ');
	more.addEventListener('toggle', () => { cut.replaceChildren(...unbroken(text)); more.remove(); }, { once: true });
	return [cut, more];
}

function changeItem(change, here) {
	const others = change.on.filter((version) => version !== here);
	return make('li', { class: classes[heaviest(change.classes)] },
		make('span', { class: 'kind' }, kinds[change.kind]), lifeLink(change.kind, change.family, change.name),
		classNames(change.classes).map((name) => make('span', { class: 'tag ' + name }, name)),
		change.flags & PROXIED ? make('span', { class: 'tag' }, 'proxied') : null,
		change.text ? make('span', { class: 'what' }, changeText(' ' + change.text)) : null,
		others.length ? make('span', { class: 'dim' }, here ? ' · also at ' : ' · at ', manyVersions(others)) : null);
}

const changeList = (list, here) => make('ul', { class: 'changes' }, list.map((change) => changeItem(change, here)));

// nodeWords - describe the node of the proxy's table that is used for a version
function nodeWords(version) {
	const { node } = version, parent = node && node.parent >= 0 ? nodes[node.parent].name : null;
	if (!node)
		return `${data.proxy} has no node for this version: all nodes are newer.`;
	if (!isNode(version))
		return [`In the table of ${data.proxy}, this version follows node `, nodeLink(node), '.'];
	return [`A node of ${data.proxy}`, parent ? [', after ', nodeLink(nodes[node.parent])] : '', node.supported ? '.' : '; the version itself is not supported.'];
}

function nodeLink(node) {
	const version = all.find((one) => one.name === node.name);
	return version ? versionLink(version) : make('span', { class: 'mono' }, node.name);
}

function showVersion(version) {
	const listed = version.events.filter((change) => !(change.flags & ONLY_FLAGS));
	const flags = version.events.filter((change) => change.flags & ONLY_FLAGS);
	const inside = version.edge && version.edge.inside ? `, inside release ${version.name.split('.')[0]}` : '';
	const parts = [
		make('h2', {}, make('span', { class: 'mono' }, version.name), version.edge ? [' after ', versionLink(version.edge.parent), inside] : ''),
		make('p', { class: 'dim' }, `${day(version)}, commit `, make('code', {}, version.commit.slice(0, 12)),
			version.main ? ', on the main branch' : '',
			version.children.length ? ['; followed by ', manyVersions(version.children)] : '; no version follows it', '.'),
		make('p', {}, describe(version).split('\n')[1] + '.',
			version.edge ? [' ', make('a', { href: address('compare', `${version.edge.parent.name}..${version.name}`) }, 'Side by side'), '.'] : null),
		nodes.length ? make('p', {}, nodeWords(version)) : null,
	];
	classes.forEach((name, index) => {
		const list = listed.filter((change) => heaviest(change.classes) === index);
		if (list.length)
			parts.push(make('h3', {}, `${name} (${list.length})`), changeList(list, version));
	});
	if (flags.length) {
		const more = make('details', {}, make('summary', {}, `${plural(flags.length, 'ioctl')} changed only in flags that are not privileges`));
		more.addEventListener('toggle', () => more.childElementCount > 1 || more.append(changeList(flags, version)));
		parts.push(more);
	}
	return parts;
}
