import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';

@Module({
  imports: [
    AgentModule.forRoot({
      decorators: [UseGuards(HeaderGuard)],
      // #region compaction
      sessions: {
        compaction: { thresholdTokens: 8_000, keepRecentTokens: 2_000, keepOriginals: false },
      },
      // #endregion compaction
    }),
  ],
})
export class CompactingModule {}
