// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, type Question, type Told } from './page-question.ts'
import { startPage } from './page.ts'

const PACKAGE = join(import.meta.dirname, '..')
const MARKUP = /<body>([\s\S]*)<script>/.exec(readFileSync(join(PACKAGE, 'page', 'page.html'), 'utf8'))?.[1] ?? ''
const example = (name: string): string => readFileSync(join(PACKAGE, 'bundles', `${name}.bundle.json`), 'utf8')

let asked: Question[] = []

beforeEach(() => {
  document.body.innerHTML = MARKUP
  asked = []
  startPage((question, tell) => {
    asked.push(question)
    answer(question, tell)
  })
})

describe('the offline page', () => {
  it('shows the verdict, the seven steps, the way to each ball and the prizes', async () => {
    await verify(example('worked-example'))
    expect(textOf('#verdict')).toContain('This draw holds')
    expect(document.activeElement?.id).toBe('verdict')
    expect(all('.step').map((step) => step.getAttribute('data-outcome'))).toEqual(
      'passed passed passed passed passed passed unchecked'.split(' '),
    )
    expect(all('.ball').map((ball) => ball.textContent)).toEqual(['9', '16', '11', '46', '12', '36'])
    expect(textOf('#report')).toContain('228 ≥ 220')
    expect(textOf('#report')).toContain('1,800,000 satoshis')
    expect(document.querySelector('#report')?.getAttribute('data-game')).toBe('bitcoin-lotto')
    expect(all('a[download]').map((link) => link.getAttribute('download'))).toEqual([
      'fairball-bitcoin-lotto-17.report.json',
    ])
  })

  it('says beside the verdict what a draw that holds leaves open', async () => {
    await verify(example('settled'))
    expect(textOf('#verdict')).toContain('that takes somebody who saw it in time')
    expect(textOf('#verdict')).toContain('this shows the arithmetic, not the honesty')
  })

  it('keeps in the evidence what the file says of its owner, where that is what failed', () => {
    const told: Told[] = []
    const question = { bundle: example('key-is-another'), receipts: [], username: null, key: null }
    answer(question, (one) => told.push(one))
    const last = told.at(-1)
    const text = last?.kind === 'report' ? (last.evidence?.text ?? '') : ''
    answer({ ...question, bundle: text }, (one) => told.push(one))
    expect(told.at(-1)).toMatchObject({ kind: 'report', report: { outcome: 'failed' } })
  })

  it('opens the step that failed and offers the evidence', async () => {
    await verify(example('seed-changed'))
    expect(textOf('#verdict')).toContain('Something failed')
    const open = all('.step').filter((step) => step.hasAttribute('open'))
    expect(open).toHaveLength(1)
    expect(open[0]?.querySelector('[data-check="close.seed"]')?.getAttribute('data-outcome')).toBe('failed')
    expect(all('a[download]')[0]?.getAttribute('download')).toBe('fairball-bitcoin-lotto-1.evidence.json')
  })

  it('has words for every mark, and a label for every field', async () => {
    await verify(example('closed'))
    for (const mark of all('.mark'))
      expect(['passed', 'failed', 'not checkable here']).toContain(mark.getAttribute('aria-label'))
    for (const input of all('input')) expect(document.querySelector(`label[for="${input.id}"]`)).not.toBeNull()
  })

  it('takes receipts, a username and a key along', async () => {
    const receipt = (JSON.parse(example('settled-with-receipt')) as { own: { receipts: unknown[] } }).own.receipts[0]
    give('receipts', JSON.stringify(receipt))
    field('username').value = ' alice '
    field('key').value = 'AB'.repeat(32)
    await verify(example('settled'))
    expect(asked[0]).toMatchObject({ username: 'alice', key: 'ab'.repeat(32) })
    const outcomeOf = (id: string) => document.querySelector(`[data-check="${id}"]`)?.getAttribute('data-outcome')
    expect(outcomeOf('receipts.sealed')).toBe('passed')
    expect(outcomeOf('receipts.owner')).toBe('passed')
    expect(outcomeOf('log.key')).toBe('failed')
  })

  it.each([
    ['a file that is none', 'hello', 'not JSON'],
    ['another file', '{"format":"x"}', 'not a bundle'],
  ])('says what is wrong with %s', async (_, text, said) => {
    await verify(text)
    expect(textOf('#status')).toContain(said)
    expect(textOf('#report')).toBe('')
  })

  it('asks for a file, and for a key that can be one', async () => {
    field('form').dispatchEvent(new Event('submit', { cancelable: true }))
    await vi.waitFor(() => expect(textOf('#status')).toContain('Choose a bundle'))
    field('key').value = 'abc'
    give('bundle', example('settled'))
    field('form').dispatchEvent(new Event('submit', { cancelable: true }))
    await vi.waitFor(() => expect(textOf('#status')).toContain('64 digits'))
    expect(asked).toEqual([])
  })

  it('takes nothing in a bundle for markup', async () => {
    await verify(example('settled').replace('"game": "bitcoin-lotto"', '"game": "<img src=x onerror=alert(1)>"'))
    expect(textOf('#report')).toContain('<img src=x onerror=alert(1)>')
    expect(document.querySelector('#report img')).toBeNull()
  })

  it('does not show an earlier answer under a later question', async () => {
    document.body.innerHTML = MARKUP
    const waiting: ((told: Told) => void)[] = []
    startPage((_, tell) => waiting.push(tell))
    for (const count of [1, 2]) {
      give('bundle', example('settled'))
      field('form').dispatchEvent(new Event('submit', { cancelable: true }))
      await vi.waitFor(() => expect(waiting).toHaveLength(count))
    }
    waiting[0]?.({ kind: 'error', message: 'of the first' })
    expect(textOf('#status')).not.toContain('of the first')
    waiting[1]?.({ kind: 'error', message: 'of the second' })
    expect(textOf('#status')).toBe('of the second')
  })
})

async function verify(text: string): Promise<void> {
  give('bundle', text)
  field('form').dispatchEvent(new Event('submit', { cancelable: true }))
  await vi.waitFor(() => {
    const isDone =
      document.getElementById('verdict') !== null || document.querySelector('#status[data-problem]') !== null
    expect(isDone).toBe(true)
  })
}

/** Chooses a file in a field. */
function give(id: string, text: string): void {
  Object.defineProperty(field(id), 'files', { value: [new File([text], 'file.json')], configurable: true })
}

function field(id: string): HTMLInputElement {
  return document.getElementById(id) as HTMLInputElement
}

function all(selector: string): Element[] {
  return [...document.querySelectorAll(selector)]
}

function textOf(selector: string): string {
  return document.querySelector(selector)?.textContent ?? ''
}
