import { LinkButton } from '@fairball/ui/button.tsx'
import { paths } from '../shared/paths.ts'
import { Screen } from '../shared/screen.tsx'

/** An address without a page. */
export function MissingPage() {
  return (
    <Screen title="There is no such page" lead="Check the address, or use the menu.">
      <p>
        <LinkButton href={paths.inbox}>Go to the inbox</LinkButton>
      </p>
    </Screen>
  )
}
