/** The words of the page for help and contact. */
export const CONTACT_TEXTS = {
  title: 'Help & contact us',
  lead: 'Write to us. A person reads every message.',
  formTitle: 'Contact form',
  reachTitle: 'Reach us',
  office: 'Office',
  mail: 'Email',
  phone: 'Telephone',
  social: 'Elsewhere',
  moreTitle: 'Quicker help',
  help: [
    { question: 'Is a prize missing?', link: 'howToClaim', answer: 'How prizes are paid, and what CLAIM means.' },
    { question: 'Forgotten password?', link: 'forgottenPassword', answer: 'Get a link to choose a new one.' },
    { question: 'Is a draw fair?', link: 'fairness', answer: 'Check it yourself, in your browser.' },
    { question: 'Playing more than you want?', link: 'responsiblePlay', answer: 'Limits, time out and exclusion.' },
  ],
  access: 'Someone else has access to your account?',
  accessText: 'Choose a new password first: it logs everyone out. Then write to us.',
  secrets: 'Never send us a password, a code or a private key. We never ask for one.',
} as const
