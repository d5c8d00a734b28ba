package dev.superstep.agent.internal.state;

import dev.superstep.schema.Description;

/// The task for an agent that another one calls.
///
/// @param task in words
public record AgentTask(
    @Description(
            "What to do, with everything that is needed for it: the agent sees nothing else of this"
                + " conversation.")
        String task) {}
