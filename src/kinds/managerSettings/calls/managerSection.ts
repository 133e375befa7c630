import type { ReportSection } from '../../callType.ts';

export const managerSection: ReportSection = { id: 'settings', title: 'Settings of proxy managers' };
