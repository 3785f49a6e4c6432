import { PageTitle } from '../../ui/page-title.tsx'

/** SCRATCH placeholder of the shell: to be overwritten by the feature. */
export function ForgottenPasswordScreen(_props: object) {
  return <PageTitle>ForgottenPasswordScreen</PageTitle>
}
