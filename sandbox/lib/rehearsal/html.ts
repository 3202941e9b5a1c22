import { DomUtils, parseDocument } from 'htmlparser2';

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** A form of a page, by one of its buttons, or a link. */
export interface Way {
  readonly isForm: boolean;
  readonly to: URL;
  readonly method: 'GET' | 'POST';
  /** What a form sends if a person changes nothing of it, form-encoded. */
  readonly body: string;
  /** Its text, and that of the parts of the page around it, the smallest first. */
  readonly near: () => readonly string[];
}

export const TOKEN_FIELD = /csrf|xsrf|token|nonce/i;

/** Forms and links of a page, and fields of a form, that are looked at: a form may hold all that follow. */
const MOST = 500;

/** `undefined` for what is no URL. */
export const parsed = (url: string, base: string): URL | undefined =>
  URL.canParse(url, base) ? new URL(url, base) : undefined;

/** Parts around a form, such as its item of a list, that are looked at. */
const FEW = 6;
/** Browsers nest 512 elements; the parser takes seconds for tens of thousands. */
const DEEPEST = 5_000;
/** Characters. What is longer is no page with forms. */
const LARGEST = 1_000_000;
/** Where elements begin and end, but for those that hold no others of their kind. */
const EDGES =
  /<(\/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|wbr|p|li|d[dt]|option|t[dhr])\b)([a-z][\w-]*)/gi;

function allIn(text: string): readonly Element[] {
  if (text.length > LARGEST) return [];
  const open: string[] = [];
  for (const [, slash, name = ''] of text.matchAll(EDGES)) {
    if (slash === '') open.push(name);
    else if (open.includes(name)) open.length = open.lastIndexOf(name);
    if (open.length > DEEPEST) return [];
  }
  return DomUtils.getElementsByTagName('*', parseDocument(text));
}

/** The elements of a page, also of what its scripts write. @param tags - Default: all. */
export function elementsIn(text: string, ...tags: readonly string[]): readonly Element[] {
  const all = allIn(text).flatMap((element) => {
    const script = element.name === 'script' ? DomUtils.textContent(element) : '';
    return [element, ...(script.includes('<') ? allIn(script) : [])];
  });
  return tags.length === 0 ? all : all.filter(({ name }) => tags.includes(name));
}

/** The forms and links of a page, in its order. */
export function waysIn({ text, url }: { readonly text: string; readonly url: string }): readonly Way[] {
  const ways: Way[] = [];
  for (const element of elementsIn(text, 'form', 'a')) {
    if (ways.length >= MOST) break;
    ways.push(...(element.name === 'form' ? formWays(element, url) : linkWay(element, url)));
  }
  return ways;
}

function textsNear(element: Element): readonly string[] {
  const texts: string[] = [];
  for (let part: Element['parent'] = element; part && texts.length < FEW; part = part.parent)
    texts.push(DomUtils.textContent(part));
  return texts;
}

function linkWay(link: Element, url: string): Way[] {
  const { href } = link.attribs;
  const to = href === undefined ? undefined : parsed(href, url);
  const near = () => textsNear(link);
  return to ? [{ isForm: false, to, method: 'GET', body: '', near }] : [];
}

function formWays(form: Element, url: string): Way[] {
  const fields = fieldsOf(form);
  const choices = choicesOf(form);
  const pressed = buttonsOf(form).flatMap((button) => choices.map((choice) => [button, choice] as const));
  // Each way has a copy of the form.
  const most = Math.max(1, Math.floor(LARGEST / (1 + new URLSearchParams(fields).toString().length)));
  return pressed.slice(0, Math.min(most, MOST)).flatMap(([button, choice]) => {
    const { action = '', method = '' } = form.attribs;
    const { name = '', value = '', formaction = action, formmethod = method } = button?.attribs ?? {};
    const to = parsed(formaction || url, url);
    const body = new URLSearchParams(fields);
    if (choice) body.set(choice.name, choice.value);
    if (name !== '') body.append(name, value);
    const sent = /^post$/i.test(formmethod) ? 'POST' : 'GET';
    const near = () => [
      ...(choice ? [choice.text] : []),
      ...textsNear(button && 'form' in button.attribs ? button : form),
    ];
    return to ? [{ isForm: true, to, method: sent, body: body.toString(), near }] : [];
  });
}

/** What a person can choose in the first list or group of radio buttons of a form that is sent by POST. */
function choicesOf(form: Element): readonly ({ name: string; value: string; text: string } | undefined)[] {
  const [select] = DomUtils.getElementsByTagName('select', form);
  const options = select ? optionsOf(select) : [];
  const radios = DomUtils.getElementsByTagName('input', form).filter(({ attribs: { type = '' } }) =>
    /^radio$/i.test(type),
  );
  const all = select ? options : radios;
  if (all.length < 2 || all.length > FEW || !/^post$/i.test(form.attribs.method ?? '')) return [undefined];
  return all.map((one) => ({
    name: (select ?? one).attribs.name ?? '',
    value: optionValue(one),
    text: DomUtils.textContent(select ? one : (one.parent ?? one)),
  }));
}

const typeOf = ({ name, attribs: { type = name === 'button' ? 'submit' : 'text' } }: Element) =>
  type.toLowerCase();

/** By page, what stands outside its form, by the ID of the form. */
const apart = new WeakMap<object, ReadonlyMap<string, readonly Element[]>>();

function apartIn(form: Element): ReadonlyMap<string, readonly Element[]> {
  let root: Element['parent'] = form;
  while (root.parent) root = root.parent;
  const known = apart.get(root);
  if (known) return known;
  const found = new Map<string, Element[]>();
  for (const element of DomUtils.getElementsByTagName('*', root, true, LARGEST)) {
    const { form: id = '' } = element.attribs;
    const named = found.get(id) ?? [];
    if (id !== '' && named.length < MOST) found.set(id, [...named, element]);
  }
  apart.set(root, found);
  return found;
}

/** What belongs to a form: inside it, or elsewhere with its ID. */
function partsOf(form: Element, isPart: (tag: string) => boolean): readonly Element[] {
  const { id } = form.attribs;
  const inside = DomUtils.getElementsByTagName(isPart, form, true, MOST);
  const own = inside.filter(({ attribs }) => (attribs.form ?? id) === id);
  const elsewhere = id ? (apartIn(form).get(id) ?? []) : [];
  return [...new Set([...own, ...elsewhere.filter(({ name }) => isPart(name))])].slice(0, MOST);
}

const controlsOf = (form: Element): readonly Element[] =>
  partsOf(form, (tag) => tag === 'button' || tag === 'input');

/** The buttons of a form that say what it does; `undefined` for one that does not. */
function buttonsOf(form: Element): readonly (Element | undefined)[] {
  const buttons = controlsOf(form).filter((one) => /^(submit|image)$/.test(typeOf(one)));
  const telling = buttons.filter(({ attribs: { name, formaction } }) => name || formaction);
  return telling.length > 0 && telling.length === buttons.length ? telling : [...telling, undefined];
}

function fieldsOf(form: Element): [name: string, value: string][] {
  const isField = (tag: string) => /^(input|select|textarea)$/.test(tag);
  const all = partsOf(form, isField);
  const word = all.some(isAsked) ? askedBy(form) : '';
  const typed = (field: Element) => {
    const [, literal] = /^\^?([\p{L}\p{N} ]+)\$?$/u.exec(field.attribs.pattern ?? '') ?? [];
    return isAsked(field) ? (literal ?? word) : '';
  };
  return all.flatMap((field): [string, string][] => {
    const { name: given = '', type = '', disabled } = field.attribs;
    const name = disabled === undefined ? given : '';
    const isRadio = /^radio$/i.test(type);
    const same = isRadio ? all.filter(({ attribs }) => attribs.name === name) : [];
    const isOther = isRadio && field !== (same.find(isChosen) ?? same[0]);
    return name === '' || isOther || /^(submit|image|button|reset|file)$/i.test(type)
      ? []
      : [[name, valueIn(field) || typed(field)]];
  });
}

const isChosen = ({ attribs }: Element) => 'checked' in attribs || 'selected' in attribs;

/** Where a page goes on by itself, at once. */
export function goesOn({ text, url }: { readonly text: string; readonly url: string }): URL | undefined {
  const refresh = elementsIn(text, 'meta').find(({ attribs }) =>
    /^refresh$/i.test(attribs['http-equiv'] ?? ''),
  );
  const [, to] = /^\s*0\s*[;,]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i.exec(refresh?.attribs.content ?? '') ?? [];
  return to === undefined ? undefined : parsed(to, url);
}

/** What a form tells a person to type, such as DELETE: what stands out, or else is in capitals. */
function askedBy(form: Element): string {
  const isBold = (tag: string) => /^(b|strong|code|kbd)$/.test(tag);
  const bold = DomUtils.getElementsByTagName(isBold, form, true, FEW).map((one) =>
    DomUtils.textContent(one).trim(),
  );
  const inCapitals = bold.find((text) => /^\p{Lu}[\p{Lu}\p{N} _-]+$/u.test(text));
  return inCapitals ?? /\p{Lu}{3,}/u.exec(DomUtils.textContent(form))?.[0] ?? bold.at(-1) ?? '';
}

const isAsked = ({ name, attribs: { required, type = 'text' } }: Element) =>
  name === 'input' && required !== undefined && /^text$/i.test(type);

/** Whether a page has something that a person has to fill in or tick. */
export const waitsForInput = (text: string): boolean =>
  elementsIn(text, 'input').some(
    ({ attribs: { required, value = '', type = '' } }) =>
      required !== undefined && (value === '' || /^checkbox$/i.test(type)),
  );

/** What browsers make of a form that cannot be sent as it stands; `undefined` if all can. A script may send any, and a template is no form yet. */
export function brokenForm(text: string): string | undefined {
  const hasScript = /<script|\son\w+=/i.test(text);
  for (const form of allIn(text)
    .filter(({ name }) => name === 'form')
    .slice(0, MOST)) {
    const around: string[] = [];
    for (let { parent } = form; parent && 'name' in parent; parent = parent.parent) around.push(parent.name);
    if (around.includes('template')) continue;
    if (around.includes('form'))
      return 'a form inside another one: browsers drop the inner one, and its button sends the outer one';
    const controls = controlsOf(form);
    const isUnseen = ({ attribs: { required, value = '', style = '', hidden } }: Element) =>
      required !== undefined && value === '' && (hidden !== undefined || /display:\s*none/i.test(style));
    if (controls.some(isUnseen) && !hasScript)
      return 'a form with a required field that nobody sees: browsers do not send it';
    const isDead = controls.every((one) => /^(hidden|button|checkbox|radio)$/.test(typeOf(one)));
    const buttons = controls.filter((one) => typeOf(one) === 'button' && !('popovertarget' in one.attribs));
    if (isDead && buttons.length > 0 && !hasScript && !('id' in form.attribs))
      return 'a form whose button is of type "button", which sends nothing';
  }
  return undefined;
}

/** Of a box to tick it is what it sends when it is ticked. */
function valueIn(field: Element): string {
  const { value, type = '' } = field.attribs;
  if (field.name === 'input') return value ?? (/^(checkbox|radio)$/i.test(type) ? 'on' : '');
  if (field.name === 'textarea') return DomUtils.textContent(field);
  const options = optionsOf(field);
  const option = options.find(isChosen) ?? options[0];
  return option ? optionValue(option) : '';
}

const optionValue = (option: Element) => option.attribs.value ?? DomUtils.textContent(option);

/** What a person can choose in a list: where a choice is required, no empty one. */
const optionsOf = (list: Element) =>
  DomUtils.getElementsByTagName('option', list).filter(
    (option) => list.attribs.required === undefined || optionValue(option) !== '',
  );
