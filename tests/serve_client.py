"""Tests of a running odim serve over its sockets: python3 serve_client.py ODIM FOLDER.

FOLDER has data.csv, labels and model.odim; tests/cli/serve.sh makes it. Each check prints a line if it fails; the
last line counts them. Every response is held against the description that the server gives of itself.
"""
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

ODIM, FOLDER = sys.argv[1:3]
SLOW = float(os.environ.get("ODIM_TEST_PATIENCE", "60"))  # seconds until something is said to hang
TOKEN = "0123456789abcdef0123"
passed = failed = 0


def check(what, fine, *more):
    global passed, failed
    if fine:
        passed += 1
    else:
        failed += 1
        print("FAILED", what, *more)


def until(condition):
    end = time.monotonic() + SLOW
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


class Server:
    def __init__(self, *options, limits=None):
        self.process = subprocess.Popen([ODIM, "serve", "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, preexec_fn=limits)
        line = self.process.stdout.readline().decode()
        self.port = int(re.search(r":(\d+)/", line).group(1)) if line else 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=SLOW)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def end(self):
        try:
            self.errors = self.process.communicate(timeout=SLOW)[1].decode()
        except subprocess.TimeoutExpired:
            return None
        return self.process.returncode

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


# What the description says of each operation: the statuses that are named, the content types of each.
api = None
seen = set()
# Not of one operation in particular.
GENERAL = {400, 401, 403, 405, 408, 413, 414, 429, 500, 503}


def operation_of(method, path):
    for pattern, operations in api["paths"].items():
        regex = re.sub(r"\{[^}]*\}", "[^/]+", pattern)
        if re.fullmatch(regex, path) and method.lower() in operations:
            return pattern, operations[method.lower()]
    return None, None


def hold_against_description(method, path, reply):
    pattern, operation = operation_of(method, path)
    kind = (reply.headers.get("Content-Type") or "").split(";")[0]
    if reply.status >= 400:
        problem = reply.json() if kind == "application/problem+json" else {}
        check("a problem", problem.get("status") == reply.status and problem.get("title") and "detail" in problem,
              method, path, reply.status, reply.body[:200])
    if not operation:
        return
    named = operation["responses"].get(str(reply.status))
    check("a status that is described", named or reply.status in GENERAL, method, pattern, reply.status)
    if named:
        seen.add((method.lower(), pattern, reply.status))
        types = list(named.get("content", {}))
        check("a content type that is described", kind in types if types else not kind, pattern, reply.status, kind)


def ask(server, method, path, body=None, headers=None, connection=None):
    own = connection or http.client.HTTPConnection("127.0.0.1", server.port, timeout=SLOW)
    own.request(method, path, body=body, headers=headers or {})
    answer = own.getresponse()
    reply = Reply(answer.status, answer.headers, answer.read())
    if not connection:
        own.close()
    if api:
        hold_against_description(method, path.split("?")[0], reply)
    return reply


def command(*arguments, stdin=None):
    with open(stdin or os.devnull) as f:
        return subprocess.run([ODIM, *arguments, "-q"], stdin=f, capture_output=True, cwd=FOLDER).stdout


def wait_for_job(server, job):
    states = ("done", "failed", "cancelled")
    until(lambda: ask(server, "GET", f"/v1/jobs/{job}").json()["state"] in states)
    return ask(server, "GET", f"/v1/jobs/{job}").json()


JSON = {"Content-Type": "application/json"}
with open(f"{FOLDER}/data.csv", "rb") as f:
    CSV = f.read()
with open(f"{FOLDER}/models/model.odim", "rb") as f:
    MODEL = f.read()
ROWS = [dict(zip(CSV.decode().split("\n")[0].split(","), line.split(",")))
        for line in CSV.decode().split("\n")[1:] if line]
for line in ROWS:
    for key in ("a", "b", "c"):
        line[key] = float(line[key])


def long_job(server):
    """A job that takes many minutes."""
    return ask(server, "POST", "/v1/detect?name=data.csv&members=10000", CSV).json()["job"]


# ---- what the routes answer -----------------------------------------------------------------------------------------


def test_scores(server):
    """The bytes of the command, whatever the format and the length."""
    path = "/v1/models/model/score"
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    with open(f"{FOLDER}/rows.jsonl", "w") as f:
        f.write(lines)
    by_csv = command("score", "-m", "models/model.odim", "-", stdin=f"{FOLDER}/data.csv")
    by_line = command("score", "-m", "models/model.odim", "-", "--output-format", "jsonl", stdin=f"{FOLDER}/rows.jsonl")
    check("the command scores", by_csv.count(b"\n") == len(ROWS) + 1)
    check("CSV", ask(server, "POST", path, CSV).body == by_csv)
    check("CSV by its type", ask(server, "POST", path, CSV, {"Content-Type": "text/csv"}).body == by_csv)
    check("JSON lines", ask(server, "POST", path, lines).body == by_line)
    check("an array", ask(server, "POST", path, json.dumps(ROWS)).json() == [json.loads(x) for x in by_line.splitlines()])
    check("CSV as JSON lines", ask(server, "POST", path, CSV, {"Accept": "application/x-ndjson"}).body == by_line)
    check("chunks", ask(server, "POST", path, iter([CSV[:10], CSV[10:70000], CSV[70000:]])).body == by_csv)
    few = CSV[:CSV.index(b"\n", 5000) + 1]
    check("few rows", by_csv.startswith(ask(server, "POST", path, few).body))
    for i in (0, 1, 77):
        want = json.loads(by_line.splitlines()[i]) | {"row": 1}
        check("one row", ask(server, "POST", path, json.dumps(ROWS[i]), JSON).json() == want, i)
    reasons = command("score", "-m", "models/model.odim", "-", "--explain", "2", stdin=f"{FOLDER}/data.csv")
    check("reasons", ask(server, "POST", path + "?reasons=2", CSV).body == reasons)
    check("406", ask(server, "POST", path, CSV, {"Accept": "image/png"}).status == 406)
    check("400", ask(server, "POST", path + "?reasons=no", CSV).status == 400)
    check("404", ask(server, "POST", "/v1/models/none/score", CSV).status == 404)
    bad = ask(server, "POST", path, CSV.replace(b"\n", b"\nx,", 1))
    check("422", bad.status == 422 and bad.json()["row"] == 1, bad.body)


def test_models(server):
    check("list", [m["name"] for m in ask(server, "GET", "/v1/models").json()["models"]] == ["model"])
    check("info", ask(server, "GET", "/v1/models/model").json()["rows"] == len(ROWS))
    file = ask(server, "GET", "/v1/models/model", headers={"Accept": "application/octet-stream"})
    check("file", file.body == MODEL)
    check("406", ask(server, "GET", "/v1/models/model", headers={"Accept": "text/plain"}).status == 406)
    check("put", ask(server, "PUT", "/v1/models/new", MODEL).status == 201)
    check("put again", ask(server, "PUT", "/v1/models/new", MODEL).status == 200)
    check("not a model", ask(server, "PUT", "/v1/models/new", CSV).status == 422)
    check("a bad name", ask(server, "PUT", "/v1/models/.new", MODEL).status == 400)
    check("it stays", ask(server, "GET", "/v1/models/new").status == 200)
    check("delete", ask(server, "DELETE", "/v1/models/new").status == 204)
    check("gone", ask(server, "DELETE", "/v1/models/new").status == 404)
    check("no longer there", ask(server, "GET", "/v1/models/new").status == 404)
    check("no file is left", sorted(os.listdir(f"{FOLDER}/models")) == ["model.odim"])


def test_tables(server):
    table = ask(server, "POST", "/v1/tables?name=data.csv", CSV)
    check("upload", table.status == 201 and table.json()["rows"] == len(ROWS))
    path = "/v1/tables/" + table.json()["table"]
    check("description", ask(server, "GET", path).json()["rows"] == len(ROWS))
    again = ask(server, "POST", path + "/read", json.dumps({"options": {"ignore": ["c"]}}), JSON)
    check("read again", again.status == 200)
    check("bad options", ask(server, "POST", path + "/read", '{"options": {"colour": 1}}', JSON).status == 400)
    check("bad reading", ask(server, "POST", path + "/read", '{"options": {"types": {"city": "numeric"}}}',
                             JSON).status == 422)
    check("no options help", ask(server, "POST", "/v1/tables?name=x.npy", b"\x93NUMPY\x01\0").status == 422)
    check("options may help", ask(server, "POST", "/v1/tables?name=x.npy", b"\x93NUMPY\x01").json()["problem"]["status"] == 422)
    check("read none", ask(server, "POST", "/v1/tables/00/read", "{}", JSON).status == 404)
    check("none", ask(server, "GET", "/v1/tables/00").status == 404)
    check("delete", ask(server, "DELETE", path).status == 204)
    check("delete twice", ask(server, "DELETE", path).status == 404)


def test_jobs(server):
    table = ask(server, "POST", "/v1/tables?name=data.csv", CSV).json()["table"]
    body = json.dumps({"table": table, "params": {"preset": "fast", "members": "2"}})
    started = ask(server, "POST", "/v1/detect", body, JSON)
    job = started.json()["job"]
    check("202", started.status == 202 and started.headers["Location"] == f"/v1/jobs/{job}")
    events = ask(server, "GET", f"/v1/jobs/{job}/events").body.decode()
    check("events", "event: status\n" in events and events.endswith('event: end\ndata: {"state": "done"}\n\n'))
    path = f"/v1/jobs/{job}"
    check("done", ask(server, "GET", path).json()["state"] == "done")
    check("listed", ask(server, "GET", "/v1/jobs").json()["jobs"][0]["job"] == job)
    scores = command("detect", "data.csv", "--preset", "fast", "--members", "2")
    check("scores", ask(server, "GET", path + "/scores").body == scores)
    kept = command("detect", "data.csv", "--preset", "fast", "--members", "2", "--keep", "--output-format", "jsonl")
    check("scores beside the table", ask(server, "GET", path + "/scores?table=1&format=jsonl").body == kept)
    for accept in ("application/json", "application/x-ndjson", "text/tab-separated-values"):
        check(accept, ask(server, "GET", path + "/scores", headers={"Accept": accept}).status == 200)
    check("scores 406", ask(server, "GET", path + "/scores", headers={"Accept": "image/png"}).status == 406)
    check("scores 400", ask(server, "GET", path + "/scores?format=png").status == 400)
    result = ask(server, "GET", path + "/result").json()
    check("result", result["rows"] == len(ROWS))
    check("figure", ask(server, "GET", path + "/figures/" + result["figures"][0]).body.startswith(b"<svg"))
    check("no figure", ask(server, "GET", path + "/figures/none").status == 404)
    check("rows", len(ask(server, "GET", path + "/rows?limit=3&sort=row").json()["rows"]) == 3)
    check("rows 400", ask(server, "GET", path + "/rows?limit=x").status == 400)
    check("row", ask(server, "GET", path + "/rows/5").json()["row"] == 5)
    check("row 404", ask(server, "GET", path + "/rows/999999").status == 404)
    check("row 400", ask(server, "GET", path + "/rows/x").status == 400)
    report = ask(server, "GET", path + "/report")
    check("report", report.body.startswith(b"<!doctype html>") and "attachment" in report.headers["Content-Disposition"])
    check("model", ask(server, "GET", path + "/model").body[:4] == MODEL[:4])
    check("known", ask(server, "GET", path + "/known").status == 200)
    check("keep the model", ask(server, "PUT", f"/v1/models/kept?job={job}").status == 201)
    check("keep no model", ask(server, "PUT", "/v1/models/kept?job=00").status == 404)
    check("the kept model is there", ask(server, "DELETE", "/v1/models/kept").status == 204)
    learn = ask(server, "POST", path + "/learn", '{"outliers": [1, 2], "inliers": [3]}', JSON)
    check("learn", learn.status == 202 and learn.json()["parent"] == job)
    check("learn 400", ask(server, "POST", path + "/learn", '{"outliers": [0]}', JSON).status == 400)
    check("learned", wait_for_job(server, learn.json()["job"])["state"] == "done")
    check("bad parameter", ask(server, "POST", "/v1/detect?members=no", CSV).status == 400)
    check("no table", ask(server, "POST", "/v1/detect", '{"table": "00"}', JSON).status == 404)
    check("forget", ask(server, "DELETE", path).status == 204)
    for part in ("", "/events", "/result", "/figures/x", "/rows", "/rows/1", "/scores", "/report", "/model", "/known"):
        check("forgotten", ask(server, "GET", path + part).status == 404, part)
    check("forgotten", ask(server, "DELETE", path).status == 404)
    check("learn from nothing", ask(server, "POST", path + "/learn", "{}", JSON).status == 404)


def test_running_jobs(server):
    job = long_job(server)
    path = f"/v1/jobs/{job}"
    check("it runs", until(lambda: ask(server, "GET", path).json()["state"] == "fitting"))
    for part in ("/result", "/figures/x", "/rows", "/rows/1", "/scores", "/report", "/model", "/known"):
        check("not done", ask(server, "GET", path + part).status == 409, part)
    check("learn too early", ask(server, "POST", path + "/learn", '{"outliers": [1]}', JSON).status == 409)
    check("keep too early", ask(server, "PUT", f"/v1/models/kept?job={job}").status == 409)
    waiting = []
    while True:
        reply = ask(server, "POST", "/v1/detect?name=data.csv&members=10000", CSV)
        if reply.status != 202 or len(waiting) > 100:
            break
        waiting.append(reply.json()["job"])
    check("the queue is full", reply.status == 429 and int(reply.headers["Retry-After"]) > 0, reply.status)
    for one in waiting:
        check("cancel", ask(server, "DELETE", f"/v1/jobs/{one}").status in (202, 204))
    check("cancel", ask(server, "DELETE", path).status == 202)
    check("cancelled", wait_for_job(server, job)["state"] == "cancelled")


def test_description(server):
    """Each status that is named has been seen; 507 needs a full disk."""
    named = {(method, pattern, int(status)) for pattern, operations in api["paths"].items()
             for method, operation in operations.items() for status in operation["responses"] if status != "default"}
    check("every status", named - seen == set(), sorted(named - seen))


def test_refusals(server):
    check("host", ask(server, "GET", "/version", headers={"Host": "evil.example"}).status == 403)
    check("origin", ask(server, "GET", "/version", headers={"Origin": "http://evil.example"}).status == 403)
    check("site", ask(server, "GET", "/version", headers={"Sec-Fetch-Site": "cross-site"}).status == 403)
    check("own origin", ask(server, "GET", "/version", headers={"Origin": f"http://127.0.0.1:{server.port}"}).status == 200)
    check("method", ask(server, "PATCH", "/v1/jobs").headers["Allow"] == "GET")
    check("path", ask(server, "GET", "/nothing").status == 404)
    check("traversal", ask(server, "GET", "/v1/models/%2e%2e%2fmodels%2fmodel").status == 404)
    check("long target", ask(server, "GET", "/v1/jobs?" + "a" * 9000).status == 414)
    check("body of a GET", ask(server, "GET", "/version", body=b"x").status == 413)
    page = ask(server, "GET", "/")
    check("page", page.status == 200 and "default-src 'none'" in page.headers["Content-Security-Policy"])
    check("no inline code", b"<script>" not in page.body and b"onclick" not in page.body and b"<style" not in page.body)


# ---- limits and faults ------------------------------------------------------------------------------------------------


def test_token():
    with open(f"{FOLDER}/token", "w") as f:
        f.write(TOKEN + "\n")
    with Server("--token-file", f"{FOLDER}/token") as server:
        check("health", ask(server, "GET", "/healthz").status == 200)
        check("page", ask(server, "GET", "/").status == 200)
        check("without", ask(server, "GET", "/version").status == 401)
        check("wrong", ask(server, "GET", "/version", headers={"Authorization": "Bearer x"}).status == 401)
        check("right", ask(server, "GET", "/version", headers={"Authorization": "Bearer " + TOKEN}).status == 200)
        check("no folder of models",
              ask(server, "PUT", "/v1/models/a", MODEL, {"Authorization": "Bearer " + TOKEN}).status == 409)


def raw(server, text, more=b"", wait=0.0):
    """What comes back for bytes that are not a proper request."""
    with server.connect() as s:
        s.sendall(text)
        time.sleep(wait)
        try:
            s.sendall(more)
        except OSError:
            pass
        got = b""
        try:
            while chunk := s.recv(65536):
                got += chunk
        except OSError:
            pass
        return got


def test_limits():
    with Server("--models", f"{FOLDER}/models", "--max-upload", "200k", "--idle-time", "1") as server:
        big = b"x" * 300000
        check("413", ask(server, "POST", "/v1/tables", big).status == 413)
        check("413 of chunks", b"413" in raw(server, b"POST /v1/tables HTTP/1.1\r\nHost: localhost\r\n"
                                             b"Transfer-Encoding: chunked\r\n\r\n", b"493e0\r\n" + big + b"\r\n0\r\n\r\n"))
        # Ten gigabytes are refused before they are sent.
        check("413 of 10 GB", b" 413 " in raw(server, b"PUT /v1/models/a HTTP/1.1\r\nHost: localhost\r\n"
                                              b"Content-Length: 10000000000\r\n\r\n", big).split(b"\r\n")[0])
        check("413 of rows", b" 413 " in raw(server, b"POST /v1/models/model/score HTTP/1.1\r\nHost: localhost\r\n"
                                             b"Transfer-Encoding: chunked\r\n\r\n", b"493e0\r\n" + (CSV + CSV)[:300000] + b"\r\n").split(b"\r\n")[0])
        # A half-sent body gets a 408, a connection that says nothing is closed.
        check("408", b" 408 " in raw(server, b"POST /v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc"))
        check("408 of rows", b" 408 " in raw(server, b"POST /v1/models/model/score HTTP/1.1\r\nHost: localhost\r\n"
                                             b"Content-Length: 100000\r\n\r\n" + CSV[:500]))
        check("idle", raw(server, b"") == b"")
        check("half a header", b"200" not in raw(server, b"GET /version HTTP/1.1\r\nHost: loc"))
        check("not HTTP", b"200" not in raw(server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"))
        check("it lives", ask(server, "GET", "/healthz").status == 200)
        check("it stops", server.stop() == 0)
    with Server("--max-memory", "400k", "--idle-time", "5") as server:
        with server.connect() as s:
            s.sendall(b"POST /v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 180000\r\n\r\n" + b"x" * 150000)
            busy = lambda: "odim_held_bytes 150000" in ask(server, "GET", "/metrics").body.decode()
            check("bytes are held", until(busy))
            reply = raw(server, b"POST /v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 180000\r\n\r\n", b"x" * 150000)
            check("429", b" 429 " in reply.split(b"\r\n")[0] and b"Retry-After" in reply, reply[:200])
        check("bytes are let go", until(lambda: "odim_held_bytes 0" in ask(server, "GET", "/metrics").body.decode()))


def test_connections():
    with Server("--models", f"{FOLDER}/models") as server:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
        idle = [server.connect() for _ in range(1000)]
        check("1,000 idle connections", ask(server, "POST", "/v1/models/model/score", json.dumps(ROWS[0])).status == 200)
        for s in idle:
            s.close()
        # Clients that leave in the middle of everything.
        for size in (1, 1000, 30000, 200000):
            with server.connect() as s:
                s.sendall(b"POST /v1/models/model/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(CSV)
                          + CSV[:size])
        with server.connect() as s:
            s.sendall(b"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        check("nothing is left", until(lambda: "odim_active_requests 1\n" in ask(server, "GET", "/metrics").body.decode()))
        # Very many small requests: the memory stays as it is.
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SLOW)
        body = json.dumps(ROWS[0])
        fine = 0
        for i in range(20000):
            if i == 5000:
                before = server.resident()
            fine += ask_plain(connection, body)
        check("20,000 requests", fine == 20000, fine)
        with open(ODIM, "rb") as f:
            sanitized = b"__asan_init" in f.read()  # which keeps what is freed for a while
        check("memory", sanitized or server.resident() < before + (4 << 20), before, server.resident())
        check("it stops", server.stop() == 0)


def ask_plain(connection, body):
    connection.request("POST", "/v1/models/model/score", body=body)
    answer = connection.getresponse()
    answer.read()
    return answer.status == 200


def test_changes():
    """A model is replaced while it is used: no request fails, each gets the score of one of the two."""
    with Server("--models", f"{FOLDER}/models") as server:
        body = json.dumps(ROWS[0])
        command("fit", "data.csv", "--preset", "fast", "--members", "2", "--seed", "9", "-o", "other.odim")
        with open(f"{FOLDER}/other.odim", "rb") as f:
            other = f.read()
        old = ask(server, "POST", "/v1/models/model/score", body).json()["score"]
        found, stop, problems = set(), threading.Event(), []

        def work():
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SLOW)
            while not stop.is_set():
                connection.request("POST", "/v1/models/model/score", body=body)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status == 200:
                    found.add(json.loads(text)["score"])
                else:
                    problems.append(text)

        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers:
            worker.start()
        for i in range(20):
            ask(server, "PUT", "/v1/models/model", MODEL if i % 2 else other)
        with open(f"{FOLDER}/models/.copy", "wb") as f:
            f.write(other)
        os.rename(f"{FOLDER}/models/.copy", f"{FOLDER}/models/model.odim")
        check("a changed file is loaded",
              until(lambda: ask(server, "POST", "/v1/models/model/score", body).json()["score"] != old))
        with open(f"{FOLDER}/models/model.odim", "wb") as f:
            f.write(MODEL)
        check("and changed back",
              until(lambda: ask(server, "POST", "/v1/models/model/score", body).json()["score"] == old))
        stop.set()
        for worker in workers:
            worker.join()
        check("no request fails", problems == [], problems[:1])
        check("two scores", len(found) == 2, found)
        check("it stops", server.stop() == 0)


def test_stop():
    """SIGTERM: what was asked is answered, jobs are cancelled."""
    with Server("--models", f"{FOLDER}/models") as server:
        long_job(server)
        watcher = server.connect()
        jobs = ask(server, "GET", "/v1/jobs").json()["jobs"]
        watcher.sendall(b"GET /v1/jobs/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n" % jobs[0]["job"].encode())
        check("the stream begins", b"text/event-stream" in watcher.recv(65536))
        half = server.connect()
        half.sendall(b"POST /v1/models/model/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(CSV)
                     + CSV[:100000])
        kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SLOW)
        check("before", ask(server, "GET", "/version", connection=kept).status == 200)
        check("both run", until(lambda: "odim_active_requests 3\n" in ask(server, "GET", "/metrics").body.decode()))
        server.process.send_signal(signal.SIGTERM)
        check("no new connections", until(lambda: not can_connect(server)))
        check("503 while it stops", ask(server, "GET", "/version", connection=kept).status == 503)
        half.sendall(CSV[100000:])
        got = b""
        while chunk := half.recv(65536):
            got += chunk
        check("a running score is finished", got.startswith(b"HTTP/1.1 200") and got.rstrip().count(b"\n") > len(ROWS))
        check("it stops", server.end() == 0)
        check("without a message", server.errors == "", server.errors)


def can_connect(server):
    try:
        server.connect().close()
        return True
    except OSError:
        return False


def test_kill():
    """kill -9 while models are written: a file is all old or all new, and the next server starts."""
    for i in range(8):
        with Server("--models", f"{FOLDER}/models") as server:
            def put():
                try:
                    while True:
                        ask(server, "PUT", "/v1/models/model", MODEL)
                except (OSError, http.client.HTTPException):
                    pass
            worker = threading.Thread(target=put)
            worker.start()
            if i % 2:
                long_job(server)
            time.sleep(0.02 + 0.03 * i)
            server.process.kill()
            worker.join()
        with open(f"{FOLDER}/models/model.odim", "rb") as f:
            check("a whole model", f.read() == MODEL)
    with Server("--models", f"{FOLDER}/models") as server:
        check("it starts again", ask(server, "GET", "/v1/models/model").status == 200)
        check("only the model is listed", len(ask(server, "GET", "/v1/models").json()["models"]) == 1)
    for name in os.listdir(f"{FOLDER}/models"):
        if name.endswith(".tmp"):
            os.remove(f"{FOLDER}/models/{name}")


def test_full_disk():
    """No file may grow: models are refused, the old ones stay, everything else works."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    with Server("--models", f"{FOLDER}/models", limits=limit) as server:
        check("507", ask(server, "PUT", "/v1/models/new", MODEL).status == 507)
        check("507 for an old one", ask(server, "PUT", "/v1/models/model", MODEL).status == 507)
        check("it is the old one", ask(server, "GET", "/v1/models/model").status == 200)
        check("scores", ask(server, "POST", "/v1/models/model/score", CSV).status == 200)
        check("nothing on the disk", sorted(os.listdir(f"{FOLDER}/models")) == ["model.odim"])
        job = ask(server, "POST", "/v1/detect?name=d.csv&preset=fast&members=2", CSV).json()["job"]
        check("jobs need no disk", wait_for_job(server, job)["state"] == "done")


def test_log():
    log = f"{FOLDER}/access.log"
    with Server("--models", f"{FOLDER}/models", "--access-log", log) as server:
        ask(server, "POST", "/v1/models/model/score?reasons=1", json.dumps(ROWS[0]))
        ask(server, "GET", "/nothing%0a\"?secret=1")
        check("it stops", server.stop() == 0)
    with open(log) as f:
        lines = sorted((json.loads(line) for line in f), key=lambda line: line["status"])
    check("two lines", len(lines) == 2)
    check("a line", lines[0]["path"] == "/v1/models/model/score" and lines[0]["status"] == 200 and lines[0]["rows"] == 1
          and lines[0]["client"] == "127.0.0.1" and lines[0]["seconds"] > 0, lines)
    check("a strange path", lines[1]["status"] == 400 and "secret" not in str(lines[1]), lines)


def main():
    global api
    with Server("--models", f"{FOLDER}/models") as server:
        api = json.loads(ask(server, "GET", "/v1/openapi.json").body)
        for path in ("/healthz", "/version", "/metrics", "/v1/openapi.json"):
            check(path, ask(server, "GET", path).status == 200)
        for test in (test_scores, test_models, test_tables, test_jobs, test_running_jobs, test_refusals):
            test(server)
        check("it stops", server.stop() == 0)
    for test in (test_token, test_limits, test_connections, test_changes, test_stop, test_kill, test_full_disk, test_log):
        test()
    test_description(None)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
