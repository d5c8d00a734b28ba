package dev.superstep.spring.test;

import org.springframework.stereotype.Component;

/// Does not start without what the application has in production.
@Component
class DeskNetwork {
  DeskNetwork() {
    throw new IllegalStateException("there is no network in tests");
  }
}
