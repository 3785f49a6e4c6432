/** The words of tickets on paper, and of the code on them. */
export const TICKET_TEXTS = {
  title: (siteName: string) => `${siteName} ticket`,
  test: 'Test mode: this play was made with test bitcoin, which is worth nothing, and so are its prizes.',
  game: 'Game',
  draw: 'Draw',
  date: 'Date',
  line: (letter: string) => `Line ${letter}`,
  receipt: 'Receipt (SHA-256):',
  proof: 'Check this draw at',
  code: 'Code that proves this ticket',
  codeNote:
    'Scan after sales close to prove these lines were in the draw. It shows your lines and username, and gives no access to your account or prizes.',
  codeLater: 'The code to scan is made within 10 minutes of payment. Print this ticket again then.',
  print: 'Print ticket',
  printFailed: 'The ticket could not be loaded. Please try again.',
} as const
