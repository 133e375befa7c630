/** Colours of code, with enough contrast on both backgrounds. */

const types = {
  comment: ['comment', 'prolog', 'cdata'],
  key: ['atrule', 'property', 'attr-name', 'key', 'tag', 'class-name'],
  string: ['string', 'attr-value', 'char', 'inserted', 'url'],
  number: ['number', 'boolean', 'constant', 'variable'],
  keyword: ['keyword', 'selector', 'important', 'function'],
  mark: ['deleted', 'regex', 'symbol'],
};

function theme(plain, colors) {
  const styles = Object.entries(colors).map(([name, color]) => ({ types: types[name], style: { color } }));
  return { plain, styles };
}

export const codeTheme = theme(
  { color: '#1f2328', backgroundColor: '#f6f6f2' },
  { comment: '#59636e', key: '#0550ae', string: '#116329', number: '#953800', keyword: '#7b2fb0', mark: '#b3161f' },
);

export const darkCodeTheme = theme(
  { color: '#e6edf3', backgroundColor: '#1b1f23' },
  { comment: '#9198a1', key: '#79c0ff', string: '#7ee787', number: '#ffb77c', keyword: '#d2a8ff', mark: '#ff7b72' },
);
