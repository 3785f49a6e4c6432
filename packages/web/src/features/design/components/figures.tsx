import { BarChart } from '../../../ui/bar-chart.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Ball } from '../../../ui/ball.tsx'
import { StackedBar, Swatch } from '../../../ui/stacked-bar.tsx'
import type { BarPart } from '../../../ui/stacked-bar.tsx'
import { StepChart } from '../../../ui/step-chart.tsx'
import { Row, Section, Specimen, Stack } from './specimen.tsx'

const TIERS = [
  { matches: 6, winners: 1, each: '£1,234,567.00' },
  { matches: 5, winners: 38, each: '£1,000.00' },
  { matches: 4, winners: 2_104, each: '£25.00' },
]
const BARS = [
  { key: 7, label: <Ball number={7} size={36} />, value: 31, text: '31' },
  { key: 13, label: <Ball number={13} size={36} />, value: 22, text: '22' },
  { key: 49, label: <Ball number={49} size={36} />, value: 0, text: '0' },
]
const PARTS: readonly BarPart[] = [
  { name: 'First', percent: 40, tone: 1 },
  { name: 'Second', percent: 25, tone: 2 },
  { name: 'Third', percent: 15, tone: 3 },
  { name: 'Fourth', percent: 15, tone: 4 },
  { name: 'Fifth', percent: 5, tone: 5 },
]
const DAY = 86_400
const POINTS = [
  { at: DAY, value: 20_000 },
  { at: 2 * DAY, value: 26_500 },
  { at: 3 * DAY, value: 31_000, isMarked: true },
  { at: 4 * DAY, value: 20_000 },
]

/** Figures side by side: tables and the pictures of figures. */
export function Figures() {
  return (
    <Section id="tables">
      <Specimen name="A table" of={['data-table.tsx']}>
        {(at) => (
          <DataTable
            caption={`Winners of each tier, ${at}`}
            rows={TIERS}
            rowKey={(tier) => tier.matches}
            columns={[
              { heading: 'Matches', cell: (tier) => tier.matches },
              { heading: 'Winners', cell: (tier) => tier.winners.toLocaleString('en-US'), align: 'end' },
              { heading: 'Each', cell: (tier) => tier.each, align: 'end' },
            ]}
          />
        )}
      </Specimen>
      <Specimen name="Bars" of={['bar-chart.tsx']}>
        {(at) => <BarChart caption={`How often, ${at}`} headings={['Number', 'Times']} bars={BARS} mark={18} />}
      </Specimen>
      <Specimen name="Parts of a whole" of={['stacked-bar.tsx']}>
        {() => (
          <Stack>
            <StackedBar parts={PARTS} />
            <Row>
              {PARTS.map(({ name, percent, tone }) => (
                <Row key={name}>
                  <Swatch tone={tone} /> {name} {percent}%
                </Row>
              ))}
            </Row>
          </Stack>
        )}
      </Specimen>
      <Specimen name="Steps over time" of={['step-chart.tsx', 'chart-ticks.ts']}>
        {(at) => (
          <Stack>
            <StepChart
              label={`A jackpot that grows until it is won, ${at}`}
              points={POINTS}
              textOf={(value) => `£${value.toLocaleString('en-US')}`}
              ends={['First draw', 'Last draw']}
            />
            <StepChart
              label={`A single value, ${at}`}
              points={[{ at: DAY, value: 5, isMarked: true }]}
              textOf={String}
              ends={['The only draw', '']}
            />
          </Stack>
        )}
      </Specimen>
    </Section>
  )
}
