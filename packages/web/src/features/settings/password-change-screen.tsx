import { PageTitle } from '../../ui/page-title.tsx'

/** SCRATCH placeholder of the shell: to be overwritten by the feature. */
export function PasswordChangeScreen(_props: object) {
  return <PageTitle>PasswordChangeScreen</PageTitle>
}
