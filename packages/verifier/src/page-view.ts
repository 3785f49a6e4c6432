import { type Findings, type Report, type Status, worstStatus } from '@fairball/domain/protocol/report'
import { verdictOfDraw } from '@fairball/domain/protocol/verdict'
import type { Judged } from './judge.ts'
import { type Check, checksOf, fileVerdict, STATUSES } from './text-report.ts'

/** The views of the offline page. */

type Child = Node | string

/** Groups of checks, for people, by the beginnings of their ids. */
const PARTS: readonly (readonly [title: string, ids: RegExp])[] = [
  ['The signed log', /^log\./],
  ['What was fixed before the first sale', /^(?:open\.|beacon\.chain)/],
  ['The sealing', /^seal\./],
  ['The plays', /^plays\./],
  ['The money', /^money\./],
  ['The random number', /^beacon\.signature/],
  ['The result and its prizes', /^(?:result|paid)\./],
  ['Why it was given up', /^void\./],
  ['Promises and receipts', /^(?:papers|receipt|promise)\./],
]

/** Creates an element. Content from files is inserted as text, never as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** The verdict of the whole file. */
export function verdictView(judged: Judged): HTMLElement {
  const { outcome } = judged.report
  return element(
    'div',
    { class: 'verdict', 'data-outcome': outcome },
    element('h2', { id: 'verdict', tabindex: '-1' }, fileVerdict(judged)),
    element('p', { class: 'hint' }, ADVICE[outcome]),
  )
}

const ADVICE: Readonly<Record<Report['outcome'], string>> = {
  proved: 'Proved by the witnesses that you trust, or by what you saw yourself.',
  holds: 'What is not known is marked below. With a policy of witnesses that you trust, more may be.',
  'not yet': 'Come back with a bundle that was saved after the draw.',
  failed: 'What failed is marked below. Anybody can check the evidence again, whomever they trust.',
  broken: 'The file may be damaged, or changed on its way. Fetch it again, or from somebody else.',
}

/** A draw: its verdict, its numbers, and all checks. */
export function drawView(draw: Report['draws'][number], title: string): HTMLElement {
  const balls = (draw.numbers ?? []).map((number) => element('li', { class: 'ball' }, element('span', {}, `${number}`)))
  return element(
    'section',
    { class: 'draw', 'data-outcome': draw.outcome },
    element('h2', {}, title),
    element('p', { class: 'said' }, verdictOfDraw(draw)),
    ...(balls.length === 0
      ? []
      : [element('ol', { class: 'balls', 'aria-label': 'Numbers in the order drawn' }, ...balls)]),
    ...partViews(draw.checks),
    element('p', { class: 'hint' }, `Hash of its announcement: ${draw.open}`),
  )
}

/** The checks of the log, which all draws depend on; null if nothing could be judged. */
export function logView(findings: Findings): HTMLElement | null {
  const parts = partViews(findings)
  if (parts.length === 0) return null
  return element('section', { class: 'draw' }, element('h2', {}, 'The log of the operator'), ...parts)
}

function partViews(findings: Findings): HTMLElement[] {
  const checks = checksOf(findings)
  return PARTS.flatMap(([title, ids]) => {
    const own = checks.filter(({ id }) => ids.test(id))
    return own.length === 0 ? [] : [partView(title, own)]
  })
}

/** A group of checks, expanded if a check speaks against the draw or needs attention. */
function partView(title: string, checks: readonly Check[]): HTMLElement {
  const status = worstStatus(checks.map((check) => check.status))
  const made = element(
    'details',
    { class: 'step', 'data-status': status },
    element(
      'summary',
      {},
      markOf(status),
      element('span', { class: 'title' }, title),
      element('span', { class: 'word' }, STATUSES[status].word),
    ),
    element('ul', { class: 'checks' }, ...checks.map(checkView)),
  )
  made.open = status !== 'pass'
  return made
}

function checkView({ id, title, status, why }: Check): HTMLElement {
  const text = element('div', {}, element('p', { class: 'asked' }, title))
  if (why !== '') text.append(element('p', { class: 'detail' }, why))
  return element('li', { 'data-status': status, 'data-check': id }, markOf(status), text)
}

function markOf(status: Status): HTMLElement {
  return element('span', { class: 'mark', role: 'img', 'aria-label': STATUSES[status].word }, STATUSES[status].mark)
}
