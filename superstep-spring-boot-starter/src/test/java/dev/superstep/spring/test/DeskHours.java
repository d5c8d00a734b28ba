package dev.superstep.spring.test;

import dev.superstep.tool.ToolMethod;
import org.springframework.stereotype.Component;

@Component
class DeskHours {
  @ToolMethod("Tells when the shop is open.")
  String openingHours() {
    return "nine to five";
  }
}
