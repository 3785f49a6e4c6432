// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleOf, vector, vectorText } from '@fairball/domain/protocol/vectors-fixture'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, type Question, type Told } from './page-question.ts'
import { startPage } from './page.ts'

const MARKUP =
  /<body>([\s\S]*)<script>/.exec(readFileSync(join(import.meta.dirname, '../page/page.html'), 'utf8'))?.[1] ?? ''
const { default_trust: DEFAULT } = vector<{ default_trust: { policy: string; key: string } }>('index.json')
const TRUST = JSON.stringify(DEFAULT)
const example = (id: string): string => vectorText(`bundle-${id}.json`)

let asked: Question[] = []

beforeEach(() => {
  document.body.innerHTML = MARKUP
  asked = []
  startPage((question, tell) => {
    asked.push(question)
    tell(answer(question))
  })
})

describe('the offline page', () => {
  it('the page shows the verdict of each draw, its numbers and all its checks', async () => {
    give('trust', TRUST)
    await verify(example('honest'))
    expect(textOf('#verdict')).toContain('Proved: nobody chose these numbers')
    expect(document.activeElement?.id).toBe('verdict')
    expect(all('.draw > h2').map((title) => title.textContent)).toEqual([
      'bitcoin-hero, draw 1',
      'bitcoin-hero, draw 2',
      'The log of the operator',
    ])
    const [numbers = []] = vector<{ draws: { numbers: number[] }[] }>('honest-report.json').draws.map(
      (it) => it.numbers,
    )
    const [balls] = all('.balls').map((list) => [...list.children].map((ball) => Number(ball.textContent)))
    expect(balls).toEqual(numbers)
    expect(all('[data-check="seal.seen"]').map((check) => check.getAttribute('data-status'))).toEqual(['pass', 'pass'])
    expect(all('a[download]').map((link) => link.getAttribute('download'))).toEqual(['fairball-report.json'])
  })

  it('the page shows every check with a result', async () => {
    await verify(example('honest'))
    const { checks, draws } = vector<{ checks: object; draws: { checks: object }[] }>('honest-report.json')
    const ids = [...draws.map((draw) => draw.checks), checks].flatMap((findings) => Object.keys(findings))
    const shown = all('[data-check]').map((check) => check.getAttribute('data-check') ?? '')
    expect(shown.toSorted()).toEqual(ids.toSorted())
  })

  it('without trust the page says that a draw only holds, and why', async () => {
    await verify(example('honest'))
    expect(textOf('#verdict')).toBe('Holds, but when it was sealed is not proved.')
    expect(textOf('#report')).not.toContain('nobody chose')
  })

  it('typed witnesses and keys replace those of the trust file', async () => {
    field('policy').value = DEFAULT.policy.replaceAll('\n', '\r\n')
    field('key').value = ` ${DEFAULT.key.toUpperCase()} `
    give('trust', JSON.stringify({ key: 'ab'.repeat(32) }))
    await verify(example('honest'))
    expect(textOf('#verdict')).toContain('Proved')
    expect(asked[0]).toMatchObject({ policy: DEFAULT.policy, key: DEFAULT.key })
  })

  it('the page expands failed checks and offers the evidence', async () => {
    give('trust', TRUST)
    await verify(example('B10'))
    expect(textOf('#verdict')).toContain('Failed')
    const failed = all('[data-status="fail"]').filter((part) => part.matches('.step'))
    expect(failed.map((part) => [part.hasAttribute('open'), part.querySelector('.title')?.textContent])).toEqual([
      [true, 'The result and its prizes'],
    ])
    expect(all('a[download]').map((link) => link.getAttribute('download'))).toEqual([
      'fairball-evidence.json',
      'fairball-report.json',
    ])
  })

  it('the page offers no evidence for a changed file', async () => {
    await verify(example('B16'))
    expect(textOf('#verdict')).toContain('It accuses nobody')
    expect(all('a[download]')).toHaveLength(1)
  })

  it('two heads of a fork give evidence that anyone can check', () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    const heads = [bundleOf('honest-short').head]
    const trust = JSON.stringify({ ...DEFAULT, heads })
    const told = answer({ file: bytes(example('honest')), trust, policy: null, key: null })
    const evidence = told.kind === 'report' ? told.evidence : null
    const again = answer({ file: bytes(evidence ?? ''), trust: null, policy: null, key: null })
    expect(again).toMatchObject({ kind: 'report', judged: { report: { outcome: 'failed' } } })
  })

  it('every mark has a text, and every field a label', async () => {
    await verify(example('B22'))
    for (const mark of all('.mark')) expect(mark.getAttribute('aria-label')).toMatch(/^[a-z ]+$/)
    for (const input of all('input, textarea'))
      expect(document.querySelector(`label[for="${input.id}"]`)).not.toBeNull()
  })

  it.each([
    ['a file that is not JSON', 'hello'],
    ['another file', '{"format":"x"}'],
  ])('the page says that %s is broken', async (_, text) => {
    await verify(text)
    expect(textOf('#verdict')).toMatch(/\S.*Broken/)
    expect(all('.draw')).toEqual([])
  })

  it('the page asks for a file and for a valid key', async () => {
    submit()
    await vi.waitFor(() => expect(textOf('#status')).toContain('Choose a bundle'))
    expect(asked).toEqual([])
    field('key').value = 'abc'
    await verify(example('honest'))
    expect(textOf('#status')).toContain('key')
    expect(textOf('#report')).toBe('')
  })

  it('the page shows the content of a bundle as text, not as markup', async () => {
    await verify('{"<img src=x onerror=alert(1)>":1}')
    expect(textOf('#report')).toContain('Broken')
    expect(document.querySelector('#report img')).toBeNull()
  })

  it('the page ignores the answer to an earlier question', async () => {
    document.body.innerHTML = MARKUP
    const waiting: ((told: Told) => void)[] = []
    startPage((_, tell) => waiting.push(tell))
    for (const count of [1, 2]) {
      give('bundle', example('honest'))
      submit()
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
  submit()
  await vi.waitFor(() => {
    const isDone =
      document.getElementById('verdict') !== null || document.querySelector('#status[data-problem]') !== null
    expect(isDone).toBe(true)
  })
}

function submit(): void {
  field('form').dispatchEvent(new Event('submit', { cancelable: true }))
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
