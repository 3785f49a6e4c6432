import { pageLinks } from '@fairball/domain/pagination'
import { paths } from '../../../app/paths.ts'
import { SlidersIcon, TrophyIcon } from '../../../ui/icons.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { Steps } from '../../../ui/steps.tsx'
import { Stops } from '../../../ui/stops.tsx'
import { Section, Specimen, Stack } from './specimen.tsx'

const HERE = `${paths.design()}#navigation`
const STEPS = ['Numbers', 'Payment', 'Done']
const STOPS = [
  { name: 'Pay', text: 'Your lines are entered.' },
  { name: 'Seal', text: 'All entries are sealed.' },
  { name: 'Draw', text: 'Anybody can check it.' },
]

/** What shows where one is: tabs, pages, steps of a task and stops on a way. */
export function Wayfinding() {
  return (
    <Section id="navigation">
      <Specimen name="Tabs" of={['link-tabs.tsx']}>
        {(at) => (
          <LinkTabs
            label={`Tabs, ${at}`}
            tabs={[
              { href: HERE, name: 'The current one', current: true, icon: <TrophyIcon size={20} /> },
              { href: paths.links(), name: 'Links', current: false, icon: <SlidersIcon size={20} /> },
              { href: paths.home(), name: 'Home', current: false },
            ]}
          />
        )}
      </Specimen>
      <Specimen name="Pages" of={['pagination.tsx']}>
        {(at) => (
          <Stack>
            {[1, 5, 18].map((page) => (
              <Pagination
                key={page}
                page={page}
                totalPages={18}
                items={pageLinks(page, 18)}
                hrefOf={() => HERE}
                label={`Page ${page} of 18, ${at}`}
              />
            ))}
          </Stack>
        )}
      </Specimen>
      <Specimen name="Steps of a task" of={['steps.tsx']}>
        {() => (
          <Stack>
            {[1, 2, 3].map((current) => (
              <Steps key={current} current={current} names={STEPS} />
            ))}
          </Stack>
        )}
      </Specimen>
      <Specimen name="Stops on a way" of={['stops.tsx']}>
        {() => <Stops stops={STOPS} level={4} />}
      </Specimen>
    </Section>
  )
}
