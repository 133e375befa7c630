/** The start page. */
import Link from '@docusaurus/Link';
import useBaseUrl from '@docusaurus/useBaseUrl';
import CodeBlock from '@theme/CodeBlock';
import Layout from '@theme/Layout';
import ThemedImage from '@theme/ThemedImage';
import styles from './index.module.css';

const doors = [
  [
    'Move IPs by YAML and GitOps',
    '/getting-started',
    'From an empty folder to an account without drift, on the emulator.',
  ],
  ['Run collectors, each tick once', '/recipes/nightly-collector', 'Rows of a collector in a folder, every night.'],
  ['Use Pulumi or Terraform', '/first-program', 'The same resources in TypeScript, Python, YAML or HCL.'],
];

const reasons = [
  [
    'The fewest moves',
    'Every move of an IP may cost money. A plan moves as few IPs as possible, in as few calls as possible.',
  ],
  ['Guards', 'protect, keepAtLeast and maxMoves are checked before the first call, and hold after every single one.'],
  [
    'Nothing is sent twice',
    'Every call is journaled before it is sent. If its answer is lost, the live state is read until the result is known.',
  ],
  ['Reads only read', 'plan and drift change nothing. Review the calls in a pull request, then apply exactly those.'],
];

/** The declaration of the README, of which the picture beside it is made. */
const declaration = `zoneIpAllocations:
  static:
    zones:
      checkout:
        ips: [198.18.1.10, 198.18.1.11]
        keepAtLeast: 30
      pricing:
        count: { us: 50, de: 24 }
    spare: parked
`;

const install = `
npm install --save-dev ./pulumi-webdata-0.1.0.tgz
`;

export default function Home() {
  const pictures = useBaseUrl('/pictures/');
  const playground = useBaseUrl('/playground.html');
  const sources = (name) => ({ light: `${pictures}${name('light')}`, dark: `${pictures}${name('dark')}` });
  return (
    <Layout description="Declare a web-data and proxy account. webdata plans, applies, detects drift, imports and undoes.">
      <main className={styles.page}>
        <section className={styles.hero}>
          <h1>Your proxy account, as code</h1>
          <p>
            <code>webdata</code> manages a web-data and proxy account as code: you declare which static IPs each zone
            holds, how proxy managers are set and when collectors run; it plans, applies, finds drift and undoes.
          </p>
          <p className={styles.actions}>
            <Link className="button button--primary button--lg" to="/getting-started">
              Get started
            </Link>
            <a className="button button--outline button--primary button--lg" href={playground}>
              Try it in the browser
            </a>
          </p>
        </section>
        <section className={styles.sideBySide} aria-label="Example">
          <div>
            <h2>Declare the state that you want</h2>
            <CodeBlock language="yaml">{declaration}</CodeBlock>
          </div>
          <div>
            <h2>Review the calls before they are sent</h2>
            {['', '-phone'].map((size) => (
              <div key={size} className={size === '' ? styles.wide : styles.phone}>
                <ThemedImage
                  alt="Output of webdata plan: the moves by zone and country, and the calls"
                  sources={sources((theme) => `terminal-plan${size}-${theme}.svg`)}
                />
              </div>
            ))}
          </div>
        </section>
        <section aria-labelledby="doors">
          <h2 id="doors">Where to begin</h2>
          <CodeBlock language="sh">{install.trim()}</CodeBlock>
          <ul className={styles.doors}>
            {doors.map(([title, to, text]) => (
              <li key={to}>
                <Link to={to}>
                  <h3>{title}</h3>
                  <p>{text}</p>
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <section className={`${styles.picture} ${styles.wide}`}>
          <ThemedImage
            alt="HTML plan: 32 IPs move between zones, drawn as bands"
            sources={sources((theme) => `html-plan-${theme}.png`)}
          />
        </section>
        <section aria-label="Reasons">
          <ul className={styles.reasons}>
            {reasons.map(([title, text]) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>
      </main>
    </Layout>
  );
}
