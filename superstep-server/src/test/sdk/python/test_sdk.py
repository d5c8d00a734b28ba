"""LangGraph's client for Python, and RemoteGraph, against a server of Superstep."""

import asyncio
import os
import unittest
import uuid
from urllib.parse import urlsplit

from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command
from langgraph_sdk import get_client, get_sync_client

URL = os.environ["SUPERSTEP_URL"]
# A servlet below a path has no WebSockets.
TRANSPORTS = ["sse"] if urlsplit(URL).path.strip("/") else ["sse", "websocket"]
FOO = {"messages": [{"type": "human", "content": "foo", "id": "m1"}]}


def status_of(error):
    return error.response.status_code


def shown(error):
    """What a person reads of an error: its text, and the notes under it."""
    return "\n".join([str(error), *getattr(error, "__notes__", [])])


class SyncClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = get_sync_client(url=URL)

    def failure(self, work):
        with self.assertRaises(Exception) as raised:
            work()
        return raised.exception

    def test_threads_are_made_changed_found_copied_and_deleted(self):
        threads = self.client.threads
        mark = str(uuid.uuid4())
        made = threads.create(metadata={"mark": mark})
        self.assertEqual("idle", made["status"])
        again = threads.create(thread_id=made["thread_id"], if_exists="do_nothing")
        self.assertEqual(made["thread_id"], again["thread_id"])
        clash = self.failure(lambda: threads.create(thread_id=made["thread_id"]))
        self.assertEqual(409, status_of(clash))
        threads.update(made["thread_id"], metadata={"more": 1})
        self.assertEqual({"mark": mark, "more": 1}, threads.get(made["thread_id"])["metadata"])
        found = threads.search(metadata={"mark": mark})
        self.assertEqual([made["thread_id"]], [t["thread_id"] for t in found])
        self.assertEqual(1, threads.count(metadata={"mark": mark}))
        self.client.runs.wait(made["thread_id"], "agent", input=FOO)
        threads.copy(made["thread_id"])
        self.assertEqual(2, threads.count(metadata={"mark": mark}))
        threads.delete(made["thread_id"])
        gone = self.failure(lambda: threads.get(made["thread_id"]))
        self.assertEqual(404, status_of(gone))

    def test_refusals_say_why(self):
        threads = self.client.threads
        unknown = str(uuid.uuid4())
        gone = self.failure(lambda: threads.get(unknown))
        self.assertIn(unknown, str(gone))
        self.assertEqual({"detail"}, set(gone.body))
        wrong = self.failure(lambda: threads.search(limit=100000))
        self.assertEqual(422, status_of(wrong))
        self.assertIn("`limit`", str(wrong))

    def test_states_are_read_edited_and_listed(self):
        threads = self.client.threads
        thread = threads.create()["thread_id"]
        self.assertEqual([], threads.get_state(thread)["next"])
        self.client.runs.wait(thread, "agent", input=FOO)
        history = threads.get_history(thread)
        self.assertEqual([3, 2, 1, 0, -1], [s["metadata"]["step"] for s in history])
        at = threads.get_state(thread, checkpoint=history[2]["checkpoint"])
        self.assertEqual(["tool"], at["next"])
        threads.update_state(thread, {"messages": [{"type": "human", "content": "x"}]})
        self.assertEqual("x", threads.get_state(thread)["values"]["messages"][-1]["content"])

    def test_runs_are_streamed_awaited_listed_and_joined(self):
        runs = self.client.runs
        thread = self.client.threads.create()["thread_id"]
        parts = list(runs.stream(thread, "agent", input=FOO, stream_mode=["values", "updates"]))
        self.assertEqual("metadata", parts[0].event)
        self.assertEqual({"metadata", "values", "updates"}, {p.event for p in parts})
        run = runs.create(thread, "agent", input=FOO)
        values = runs.join(thread, run["run_id"])
        self.assertEqual("end", values["messages"][-1]["content"])
        self.assertEqual(2, len(runs.list(thread)))
        self.assertEqual("success", runs.get(thread, run["run_id"])["status"])
        joined = list(runs.join_stream(thread, run["run_id"], last_event_id="-1"))
        self.assertEqual("metadata", joined[0].event)
        runs.delete(thread, run["run_id"])
        gone = self.failure(lambda: runs.get(thread, run["run_id"]))
        self.assertEqual(404, status_of(gone))

    def test_interrupts_are_answered(self):
        runs = self.client.runs
        thread = self.client.threads.create()["thread_id"]
        values = runs.wait(thread, "agent", input={**FOO, "interrupt": True})
        self.assertEqual("i want to interrupt", values["__interrupt__"][0]["value"])
        self.assertEqual("interrupted", self.client.threads.get(thread)["status"])
        refused = self.failure(lambda: runs.wait(thread, "agent", command={"resume": {"not": 1}}))
        self.assertEqual(422, status_of(refused))
        self.assertIn("does not fit", shown(refused))
        self.assertEqual("interrupted", self.client.threads.get(thread)["status"])
        values = runs.wait(thread, "agent", command={"resume": "go on"})
        self.assertEqual(4, len(values["messages"]))

    def test_runs_are_cancelled(self):
        runs = self.client.runs
        thread = self.client.threads.create()["thread_id"]
        run = runs.create(thread, "gated", input={"gate": str(uuid.uuid4())})
        runs.cancel(thread, run["run_id"], wait=True)
        self.assertEqual("interrupted", runs.get(thread, run["run_id"])["status"])

    def test_failures_are_told(self):
        thread = self.client.threads.create()["thread_id"]
        parts = list(self.client.runs.stream(thread, "error", input=FOO))
        self.assertEqual("error", parts[-1].event)
        self.assertEqual("CustomError", parts[-1].data["error"])
        failed = self.failure(lambda: self.client.runs.wait(None, "error", input=FOO))
        self.assertIn("Boo!", str(failed))

    def test_assistants_have_versions_graphs_and_schemas(self):
        assistants = self.client.assistants
        made = assistants.create("agent", name="desk", config={"configurable": {"user": "one"}})
        changed = assistants.update(made["assistant_id"], config={"configurable": {"user": "two"}})
        self.assertEqual(2, changed["version"])
        self.assertEqual([2, 1], [v["version"] for v in assistants.get_versions(made["assistant_id"])])
        back = assistants.set_latest(made["assistant_id"], 1)
        self.assertEqual("one", back["config"]["configurable"]["user"])
        self.assertIn("agent", [n["id"] for n in assistants.get_graph("agent")["nodes"]])
        self.assertIn("messages", assistants.get_schemas("agent")["input_schema"]["properties"])
        self.assertEqual(["weather_graph"], list(assistants.get_subgraphs("weather")))
        self.assertTrue(assistants.search(graph_id="agent"))
        assistants.delete(made["assistant_id"])
        gone = self.failure(lambda: assistants.get(made["assistant_id"]))
        self.assertEqual(404, status_of(gone))

    def test_items_are_kept(self):
        store = self.client.store
        space = ["users", str(uuid.uuid4())]
        store.put_item(space, key="tea", value={"stars": 5})
        self.assertEqual({"stars": 5}, store.get_item(space, "tea")["value"])
        found = store.search_items(space, filter={"stars": 5})
        self.assertEqual(["tea"], [i["key"] for i in found["items"]])
        self.assertIn(space, store.list_namespaces(prefix=["users"], limit=1000)["namespaces"])
        store.delete_item(space, "tea")
        gone = self.failure(lambda: store.get_item(space, "tea"))
        self.assertEqual(404, status_of(gone))

    def test_threads_are_pruned_and_live_for_their_time(self):
        threads = self.client.threads
        kept, gone = [threads.create(ttl=60)["thread_id"] for _ in range(2)]
        self.assertEqual(60, threads.get(kept, include=["ttl"])["ttl"]["ttl_minutes"])
        self.assertEqual(1, threads.prune([gone])["pruned_count"])
        self.assertEqual(404, status_of(self.failure(lambda: threads.get(gone))))
        self.client.runs.wait(kept, "agent", input=FOO)
        threads.prune([kept], strategy="keep_latest")
        self.assertEqual(1, len(threads.get_history(kept)))
        self.assertEqual(4, len(threads.get_state(kept)["values"]["messages"]))

    def test_all_runs_of_a_thread_are_streamed(self):
        thread = self.client.threads.create()["thread_id"]
        run = self.client.runs.create(thread, "gated", input={"gate": "py-" + thread})
        seen = []
        for part in self.client.threads.join_stream(thread, last_event_id="-1"):
            seen.append(part.event)
            if part.event == "metadata":
                self.client.store.put_item(["gates"], key="py-" + thread, value={"open": True})
            if part.event == "values" and part.data.get("seen"):
                break
        self.assertEqual("metadata", seen[0])
        self.client.runs.join(thread, run["run_id"])

    def test_runs_are_made_in_a_batch_and_cancelled_together(self):
        runs = self.client.runs
        made = runs.create_batch([{"assistant_id": "agent", "input": FOO} for _ in range(3)])
        self.assertEqual(3, len({run["run_id"] for run in made}))
        thread = self.client.threads.create()["thread_id"]
        first = runs.create(thread, "gated", input={"gate": str(uuid.uuid4())})
        second = runs.create(
            thread, "gated", input={"gate": str(uuid.uuid4())}, multitask_strategy="enqueue"
        )
        ids = [first["run_id"], second["run_id"]]
        runs.cancel_many(thread_id=thread, run_ids=ids)
        for run in ids:
            runs.join(thread, run)
            self.assertEqual("interrupted", runs.get(thread, run)["status"])

    def test_commands_checkpoints_and_contexts_reach_a_run(self):
        runs = self.client.runs
        thread = self.client.threads.create()["thread_id"]
        values = runs.wait(
            thread,
            "configured",
            input={"seen": []},
            config={"configurable": {"user": "ann"}},
            context={"language": "de"},
        )
        self.assertEqual(["ann", "de"], values["seen"])
        thread = self.client.threads.create()["thread_id"]
        runs.wait(thread, "agent", input=FOO)
        tool = self.client.threads.get_history(thread)[2]
        again = runs.wait(thread, "agent", input=None, checkpoint=tool["checkpoint"])
        self.assertEqual(4, len(again["messages"]))
        went = runs.wait(thread, "agent", command={"goto": "agent"})
        self.assertGreater(len(went["messages"]), 4)

    def test_assistants_are_counted_and_found_by_name(self):
        mark = str(uuid.uuid4())
        for name in ["Alpha", "Beta"]:
            self.client.assistants.create("agent", name=name, metadata={"mark": mark})
        self.assertEqual(2, self.client.assistants.count(metadata={"mark": mark}))
        found = self.client.assistants.search(metadata={"mark": mark}, name="bet")
        self.assertEqual(["Beta"], [a["name"] for a in found])

    def test_plans_of_runs_are_made_changed_found_and_deleted(self):
        crons = self.client.crons
        mark = {"mark": str(uuid.uuid4())}
        cron = crons.create(
            "agent", schedule="0 8 * * 1", timezone="Europe/Berlin", input=FOO, metadata=mark
        )
        self.assertEqual("Europe/Berlin", cron["timezone"])
        thread = self.client.threads.create()["thread_id"]
        other = crons.create_for_thread(
            thread, "agent", schedule="@daily", input=FOO, metadata=mark
        )
        self.assertEqual(thread, other["thread_id"])
        self.assertEqual(2, crons.count(metadata=mark))
        crons.update(cron["cron_id"], enabled=False)
        disabled = crons.search(metadata=mark, enabled=False)
        self.assertEqual([cron["cron_id"]], [c["cron_id"] for c in disabled])
        for one in (cron, other):
            crons.delete(one["cron_id"])
        self.assertEqual([], crons.search(metadata=mark))


class AsyncClientTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_run_is_streamed_by_two_readers(self):
        client = get_client(url=URL)
        thread = (await client.threads.create())["thread_id"]
        gate = str(uuid.uuid4())
        run = await client.runs.create(thread, "gated", input={"gate": gate})

        async def read():
            stream = client.runs.join_stream(thread, run["run_id"], last_event_id="-1")
            return [(part.event, part.data) async for part in stream]

        readers = [asyncio.create_task(read()) for _ in range(2)]
        await client.store.put_item(["gates"], key=gate, value={"open": True})
        first, second = await asyncio.gather(*readers)
        self.assertEqual(first, second)
        self.assertEqual("values", first[-1][0])


class ThreadStreamTest(unittest.TestCase):
    """The sessions on threads of the newest clients, over both transports."""

    def setUp(self):
        self.threads = get_sync_client(url=URL).threads

    def each(self, assistant, work):
        for transport in TRANSPORTS:
            with self.subTest(transport=transport):
                with self.threads.stream(assistant_id=assistant, transport=transport) as session:
                    work(session)

    def test_messages_are_streamed_and_the_end_has_the_values(self):
        def work(session):
            session.run.start(input={"messages": [{"role": "user", "content": "hello there"}]})
            said = [("".join(message.text), message.node) for message in session.messages]
            self.assertEqual(("You said: hello there", "model"), said[-1])
            self.assertEqual("You said: hello there", last(session.output))

        self.each("chat", work)

    def test_calls_of_tools_are_followed(self):
        def work(session):
            session.run.start(input={"messages": [{"role": "user", "content": "find 7"}]})
            results = [call.output["content"] for call in session.tool_calls]
            self.assertEqual(["here 7"], results)
            self.assertEqual("It is here 7.", last(session.output))

        self.each("chat", work)

    def test_a_question_is_seen_and_answered(self):
        def work(session):
            session.run.start(input={**FOO, "interrupt": True})
            # The client ends this when it hears of the pause, whether or not it has all values.
            for _ in session.values:
                pass
            self.assertTrue(session.interrupted)
            self.assertEqual("i want to interrupt", session.interrupts[0]["value"])
            self.assertEqual("foo", last(self.threads.get_state(session.thread_id)["values"]))
            session.run.respond("go on")
            self.assertEqual("end", last(session.output))

        self.each("agent", work)

    def test_a_failure_ends_the_session(self):
        def work(session):
            session.run.start(input=FOO)
            with self.assertRaisesRegex(RuntimeError, "Boo!"):
                _ = session.output

        self.each("error", work)


def last(values):
    return values["messages"][-1]["content"]


class RemoteGraphTest(unittest.TestCase):
    def setUp(self):
        self.graph = RemoteGraph("agent", url=URL)
        thread = get_sync_client(url=URL).threads.create()["thread_id"]
        self.config = {"configurable": {"thread_id": thread}}

    def test_it_is_invoked_and_streamed(self):
        values = self.graph.invoke(FOO, self.config)
        self.assertEqual("end", values["messages"][-1]["content"])
        updates = list(self.graph.stream(FOO, self.config, stream_mode="updates"))
        self.assertEqual(["agent", "tool", "agent"], [next(iter(u)) for u in updates])

    def test_its_state_is_read_and_edited(self):
        self.graph.invoke(FOO, self.config)
        state = self.graph.get_state(self.config)
        self.assertEqual((), state.next)
        self.assertEqual(5, len(list(self.graph.get_state_history(self.config))))
        self.graph.update_state(self.config, {"messages": [{"type": "human", "content": "x"}]})
        self.assertEqual("x", self.graph.get_state(self.config).values["messages"][-1]["content"])

    def test_it_is_interrupted_and_resumed(self):
        self.graph.invoke({**FOO, "interrupt": True}, self.config)
        state = self.graph.get_state(self.config)
        self.assertEqual(("agent",), state.next)
        self.assertEqual("i want to interrupt", state.tasks[0].interrupts[0].value)
        values = self.graph.invoke(Command(resume="go on"), self.config)
        self.assertEqual(4, len(values["messages"]))

    def test_it_is_drawn(self):
        self.assertIn("tool", self.graph.get_graph().nodes)


if __name__ == "__main__":
    unittest.main()
