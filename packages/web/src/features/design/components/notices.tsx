import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState, LoadFailed } from '../../../ui/empty-state.tsx'
import { Loading, Skeleton, SkeletonRows } from '../../../ui/skeleton.tsx'
import { PageWait, Spinner } from '../../../ui/spinner.tsx'
import { LiveDot, Tag } from '../../../ui/tag.tsx'
import { Row, Section, Specimen, Stack } from './specimen.tsx'
import styles from './notices.module.css'

const KINDS = ['info', 'success', 'warning', 'danger'] as const
const TAGS = ['soon', 'live', 'ended', 'neutral', 'success', 'warning', 'danger'] as const
const SHAPES = ['title', 'text', 'ball', 'button'] as const

/** What tells of a state: banners, tags, empty lists, and what stands in while something loads. */
export function Notices() {
  return (
    <Section id="notices">
      <Specimen name="Banners" of={['banner.tsx']}>
        {() => (
          <Stack>
            {KINDS.map((kind) => (
              <Banner key={kind} kind={kind}>
                One sentence says what is so and what to do: {kind}.
              </Banner>
            ))}
            <Banner
              kind="warning"
              action={
                <Button size="small" variant="secondary">
                  One action
                </Button>
              }
            >
              A banner has room for one action.
            </Banner>
          </Stack>
        )}
      </Specimen>
      <Specimen name="Tags" of={['tag.tsx']}>
        {() => (
          <Row>
            {TAGS.map((kind) => (
              <Tag key={kind} kind={kind}>
                {kind}
              </Tag>
            ))}
            <span className={styles['live']}>
              <LiveDot /> Watch the draws
            </span>
          </Row>
        )}
      </Specimen>
      <Specimen name="Nothing here, and not loaded" of={['empty-state.tsx']}>
        {() => (
          <Stack>
            <EmptyState text="No played games." action={<Button>Pick your numbers</Button>} />
            <LoadFailed onRetry={() => {}} />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Skeletons" of={['skeleton.tsx']}>
        {() => (
          <Stack>
            <Loading label="A sample of what loads">
              {SHAPES.map((shape) => (
                <Skeleton key={shape} shape={shape} />
              ))}
              <Skeleton shape="block" className={styles['block']} />
            </Loading>
            <SkeletonRows rows={2} />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Waiting" of={['spinner.tsx']}>
        {() => (
          <>
            <Row>
              <Spinner />
            </Row>
            <PageWait text="A whole page that waits" />
          </>
        )}
      </Specimen>
    </Section>
  )
}
