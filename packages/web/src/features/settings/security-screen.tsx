import { PageTitle } from '../../ui/page-title.tsx'

/** SCRATCH placeholder of the shell: to be overwritten by the feature. */
export function SecurityScreen(_props: object) {
  return <PageTitle>SecurityScreen</PageTitle>
}
