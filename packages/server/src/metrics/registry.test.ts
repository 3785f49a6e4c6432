import { describe, expect, it } from 'vitest'
import { counter, gauge, histogram, MAX_SERIES, textOf } from './registry.ts'

describe('the text of the measurements', () => {
  it('the text follows the exposition format 0.0.4, line by line', () => {
    const answers = counter({ name: 'answers_total', help: 'Answers.' })
    answers.add({ route: '/a', status: '200' })
    answers.add({ route: '/a', status: '200' }, 2)
    answers.add({ route: '/b', status: '500' })
    const seconds = histogram({ name: 'answer_seconds', help: 'How long.', bounds: [0.1, 1] })
    for (const value of [0.1, 0.5, 7]) seconds.observe({ route: '/a' }, value)
    expect(textOf([answers.family(), seconds.family(), gauge('sats', 'Money.', [[{}, 21n * 10n ** 14n]])])).toBe(
      [
        '# HELP answers_total Answers.',
        '# TYPE answers_total counter',
        'answers_total{route="/a",status="200"} 3',
        'answers_total{route="/b",status="500"} 1',
        '# HELP answer_seconds How long.',
        '# TYPE answer_seconds histogram',
        'answer_seconds_bucket{route="/a",le="0.1"} 1',
        'answer_seconds_bucket{route="/a",le="1"} 2',
        'answer_seconds_bucket{route="/a",le="+Inf"} 3',
        'answer_seconds_sum{route="/a"} 7.6',
        'answer_seconds_count{route="/a"} 3',
        '# HELP sats Money.',
        '# TYPE sats gauge',
        'sats 2100000000000000',
        '',
      ].join('\n'),
    )
  })

  it('a label’s value cannot end its line or its quotes', () => {
    const text = textOf([gauge('up', 'a\nb\\', [[{ name: 'x"} 1\ny\\' }, 1]])])
    expect(text).toBe('# HELP up a\\nb\\\\\n# TYPE up gauge\nup{name="x\\"} 1\\ny\\\\"} 1\n')
  })

  it('a family without a value yet is still named', () => {
    expect(textOf([counter({ name: 'none_total', help: 'None.' }).family()])).toBe(
      '# HELP none_total None.\n# TYPE none_total counter\n',
    )
  })
})

it('a family has a maximum number of series, and existing ones are still counted', () => {
  const count = counter({ name: 'a_total', help: '' })
  for (let index = 0; index < MAX_SERIES + 5; index += 1) count.add({ index: String(index) })
  count.add({ index: '0' })
  const { samples } = count.family()
  expect([samples.length, samples[0]?.value]).toEqual([MAX_SERIES, 2])
})
