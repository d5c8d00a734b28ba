package dev.superstep.cli.chat;

import dev.superstep.checkpoint.Checkpointer;

/// The parts that the conversations of a process share.
record ChatParts(ChatPartner partner, Checkpointer store, ChatOutput output) {}
