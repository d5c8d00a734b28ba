package dev.superstep.cli.chat;

import dev.superstep.checkpoint.Checkpointer;

/// What the conversations of a process share.
record ChatParts(ChatPartner partner, Checkpointer store, ChatOutput output) {}
