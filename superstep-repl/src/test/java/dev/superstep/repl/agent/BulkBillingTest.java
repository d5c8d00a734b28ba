package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BulkBillingTest {
  @Test
  void a_cell_calls_the_deferred_tools_that_it_was_granted_by_name() throws Exception {
    assertThat(BulkBilling.run()).startsWith("Ada: 900; Bob: 900\n");
  }
}
