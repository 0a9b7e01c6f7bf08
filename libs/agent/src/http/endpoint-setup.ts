import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { BodyParsing } from './body';
import { agentControllersOf } from './controllers';
import { applyEndpointSettings } from './create-agent-controllers';
import { ENDPOINT_SETTINGS, type EndpointSettings } from './options';

/** Prepares the endpoints of all agents. */
@Injectable()
export class EndpointSetup {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly bodies: BodyParsing,
    @Inject(ENDPOINT_SETTINGS) private readonly settings: EndpointSettings,
  ) {}

  /** To be called once, between the adapter's body parsers and the routes. */
  run(): void {
    for (const { controllers } of this.modules.values()) {
      applyEndpointSettings(controllers, this.settings);
    }
    this.bodies.install(agentControllersOf(this.modules).map(({ path }) => path));
  }
}
