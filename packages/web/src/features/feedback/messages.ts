/** The words of the page for feedback. */
export const FEEDBACK_TEXTS = {
  title: 'Feedback',
  lead: 'What works, what annoys, what is missing: a few words help us more than a rating.',
  formTitle: 'Your feedback',
  message: 'What would you like to tell us?',
  send: 'Send feedback',
  sent: 'Thank you. Your feedback has been sent.',
  /** The prefix of the message, so that support can distinguish it from a question. */
  before: 'Feedback:\n\n',
  tips: 'Good to know',
  tipList: [
    'Say which page or game it is about, and what you expected instead.',
    'It reaches the same people as the contact form. They reply if there is something to answer.',
    'Never send us a password, a code or a private key.',
  ],
  help: 'Is something missing or wrong with your account?',
  helpLink: 'Help & contact us',
  frame: 'Feedback form',
  frameNote: (host: string) =>
    `This form is by ${host}, and what you write in it goes there. It cannot see your account or anything else of this site.`,
  frameOpen: 'Open the form in its own tab',
} as const
