/** The letter of a line, from its name for assistive technology; on tickets after the first with the ticket's number. */
export function LineLetter({ name, className }: { name: string; className: string | undefined }) {
  const [letter, ticket] = name.split(' of ticket ')
  return (
    <span className={className} aria-hidden="true">
      {letter}
      {ticket !== undefined && <sub>{ticket}</sub>}
    </span>
  )
}
