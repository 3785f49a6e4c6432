/** The words of the page of components. */
export const DESIGN_TEXTS = {
  title: 'Components',
  lead: 'Everything the pages are made of, in every state, for those who build and check them.',
  back: 'Back to the links',
  contents: 'Sections',

  view: 'How the components are shown',
  theme: 'Theme',
  themes: { both: 'Side by side', light: 'Light', dark: 'Dark', system: 'As the system has it' },
  world: 'Game whose colours are worn',
  motion: 'Reduced motion',
  motionHint: 'Shows what those see who asked their system for less motion.',

  sections: {
    colours: 'Colours',
    worlds: 'Game worlds',
    type: 'Type, space and shape',
    balls: 'Balls',
    actions: 'Buttons and links',
    fields: 'Fields',
    choices: 'Choices',
    forms: 'Forms',
    notices: 'Notices, tags and waiting',
    panels: 'Cards, tickets and receipts',
    tables: 'Tables and charts',
    navigation: 'Tabs, pages and steps',
    bitcoin: 'Bitcoin details',
    picker: 'Picker, progress and countdown',
    dialogs: 'Dialogs',
    reading: 'Pages to read',
    signs: 'Icons and the sign',
  },
} as const

/** A section's name, which is also its anchor. */
export type SectionId = keyof typeof DESIGN_TEXTS.sections
