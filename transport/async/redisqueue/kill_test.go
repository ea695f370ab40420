package redisqueue_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache/rediscache"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/async/redisqueue"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/redis/go-redis/v9"
)

// A worker is this test's program, started once more with these set.
const (
	workerURL  = "FACET_TEST_REDIS"
	workerAddr = "FACET_TEST_ADDR"
	workerHost = "FACET_TEST_HOST" // of the receiver
)

// killSecret signs the webhooks of the test.
const killSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

type double struct {
	N int `json:"n"`
}

// worker serves /rpc and works on the queue until it is killed.
func worker(url string) int {
	if err := serve(url, os.Getenv(workerAddr)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func serve(url, addr string) error {
	ctx := context.Background()
	pool, err := rediscache.Open(ctx, url)
	if err != nil {
		return err
	}
	queue, err := redisqueue.Open(ctx, url)
	if err != nil {
		return err
	}
	registry, err := rpc.NewRegistry(rpc.App{Name: "kill", Version: "1"}, rpc.Service{Bare: true, Methods: []rpc.Method{
		{Name: "double", Func: func(p double) int { <-time.After(busy); return 2 * p.N }},
	}})
	if err != nil {
		return err
	}
	executor, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local)})
	if err != nil {
		return err
	}
	jobs, err := async.New(async.Options{Queue: queue, Records: pool, Webhooks: async.Webhooks{
		Hosts: []string{os.Getenv(workerHost)}, Secrets: []string{killSecret}, Plain: true, Private: true, PerHost: 64,
	}})
	if err != nil {
		return err
	}
	engine := gin.New()
	if err := guard.Mount(engine, executor, guard.Policy{Open: true}, rpchttp.Edge{}, jobs); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return http.Serve(listener, engine)
}

// node is a worker process; it is killed and started again.
type node struct {
	t        *testing.T
	url      string
	addr     string
	receiver string
	cmd      *exec.Cmd
}

func (n *node) start() {
	n.t.Helper()
	n.cmd = exec.Command(os.Args[0])
	n.cmd.Env = append(os.Environ(), workerURL+"="+n.url, workerAddr+"="+n.addr, workerHost+"="+n.receiver)
	n.cmd.Stderr = os.Stderr
	if err := n.cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
}

func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// inbox is the receiver of the webhooks.
type inbox struct {
	t        *testing.T
	mu       sync.Mutex
	accepted map[string]int // by job id, as the nodes answered: the n of its call
	arrived  map[string]int // by webhook-id, which is the job's
	refused  map[string]bool
	posts    int
	again    int // posted although it had been taken
	wrong    int
}

// busy is how long a method and the receiver take, so that kills meet some at
// work.
const busy = 50 * time.Millisecond

// ServeHTTP takes a webhook, and answers a while later: a node that is killed
// meanwhile does not know that it was taken.
func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the node was killed
	}
	status := b.take(r, body)
	<-time.After(busy)
	w.WriteHeader(status)
}

// take notes a webhook. Of the calls, one in ten is refused first, to be posted
// again.
func (b *inbox) take(r *http.Request, body []byte) (status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.posts++
	id, err := async.Verify(r.Header, body, killSecret)
	n, bad := strconv.Atoi(r.URL.Query().Get("n"))
	if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%d}`, n, 2*n); err != nil || bad != nil || string(body) != want {
		b.wrong++
		b.t.Errorf("a webhook for %d: %v, %v: %s", n, err, bad, body)
	}
	before, seen := b.arrived[id]
	if seen && before != n {
		b.wrong++
		b.t.Errorf("webhook %s was for %d and is for %d", id, before, n)
	}
	if n%10 == 0 && !b.refused[id] {
		b.refused[id] = true
		return http.StatusServiceUnavailable
	}
	if seen {
		b.again++
	}
	b.arrived[id] = n
	return http.StatusNoContent
}

// missing are the jobs that were accepted and whose answer did not arrive.
func (b *inbox) missing() (jobs []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for job, n := range b.accepted {
		if got, ok := b.arrived[job]; !ok || got != n {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// call makes one call with a callback, at nodes that may be down, until one
// accepts it.
func (b *inbox) call(ctx context.Context, nodes []*node, callback string, n int) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"double","params":{"n":%d,"$rpc":{"callback":"%s/?n=%d"}}}`, n, n, callback, n)
	for ctx.Err() == nil {
		target := "http://" + nodes[rand.IntN(len(nodes))].addr + "/rpc"
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewBufferString(body))
		if err != nil {
			b.t.Error(err)
			return
		}
		job, err := accepted(http.DefaultClient.Do(r))
		b.mu.Lock()
		if err == nil {
			b.accepted[job] = n
		}
		b.mu.Unlock()
		if err == nil {
			return
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

func accepted(resp *http.Response, err error) (job string, _ error) {
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	var answer struct {
		Result struct {
			JobID string `json:"jobId"`
		} `json:"result"`
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Result.JobID == "" {
		return "", fmt.Errorf("not accepted: %s", text)
	}
	return answer.Result.JobID, nil
}

// R-C10: three workers, one of which is killed again and again, and a Redis
// that is killed once: the answer of every accepted job arrives under its id,
// none with another body. With FACET_LONG=1 10 000 calls and real time, else
// the leases of the dead are made to end early.
func TestKill(t *testing.T) {
	long := os.Getenv("FACET_LONG") == "1"
	calls, every, patience := 300, 500*time.Millisecond, 55*time.Second
	if long {
		calls, every, patience = 10_000, 3*time.Second, 8*time.Minute
	}
	server := rpctest.Redis(t)
	box := &inbox{t: t, accepted: map[string]int{}, arrived: map[string]int{}, refused: map[string]bool{}}
	receiver := httptest.NewServer(box)
	defer receiver.Close()
	nodes := make([]*node, 3)
	for i := range nodes {
		nodes[i] = &node{t: t, url: server.URL, addr: freeAddr(t), receiver: receiver.Listener.Addr().String()}
		nodes[i].start()
		defer nodes[i].kill()
	}
	defer http.DefaultClient.CloseIdleConnections()

	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	sent := send(ctx, box, nodes, receiver.URL, calls)
	kills := killWhile(sent, nodes, server, every)
	accepting := time.Since(began)
	look := time.NewTicker(every)
	defer look.Stop()
	for round := 0; len(box.missing()) > 0 && ctx.Err() == nil; round++ {
		if !long && round%20 == 0 {
			bury(t, server, nodes)
		}
		<-look.C
	}
	if lost := box.missing(); len(lost) > 0 {
		t.Errorf("%d answers did not arrive: %v", len(lost), lost[:min(5, len(lost))])
	}
	box.mu.Lock()
	defer box.mu.Unlock()
	if len(box.accepted) < calls {
		t.Errorf("%d of %d calls were accepted", len(box.accepted), calls)
	}
	t.Logf("%d calls accepted in %v, %d workers killed meanwhile and Redis once; all answers after %v: %d posts of %d jobs, %d of them refused, %d once more than needed, %d wrong",
		len(box.accepted), accepting.Round(time.Second), kills, time.Since(began).Round(time.Second), box.posts, len(box.arrived), len(box.refused), box.again, box.wrong)
}

// send makes the calls, spread over a minute if there are 10 000. The channel
// is closed when all are accepted.
func send(ctx context.Context, box *inbox, nodes []*node, callback string, calls int) <-chan struct{} {
	var senders sync.WaitGroup
	var sent atomic.Int64
	for range 8 {
		senders.Go(func() {
			pace := time.NewTicker(50 * time.Millisecond)
			defer pace.Stop()
			for n := sent.Add(1); n <= int64(calls); n = sent.Add(1) {
				box.call(ctx, nodes, callback, int(n))
				<-pace.C
			}
		})
	}
	done := make(chan struct{})
	go func() { senders.Wait(); close(done) }()
	return done
}

// killWhile kills a node and starts it again, each in turn, and Redis once,
// until done.
func killWhile(done <-chan struct{}, nodes []*node, server *rpctest.RedisServer, every time.Duration) (kills int) {
	again := time.NewTicker(every)
	defer again.Stop()
	for {
		select {
		case <-done:
			return kills
		case <-again.C:
		}
		victim := nodes[kills%len(nodes)]
		victim.kill()
		if kills++; kills == 3 {
			server.Kill()
			server.Start()
		}
		victim.start()
	}
}

// bury kills all nodes and lets others begin when their leases are over. asynq
// looks for the tasks of the dead when it begins, and then once a minute.
func bury(t *testing.T, server *rpctest.RedisServer, nodes []*node) {
	t.Helper()
	for _, n := range nodes {
		n.kill()
	}
	endLeases(t, server)
	for _, n := range nodes {
		n.start()
	}
}

// endLeases ends the leases of all tasks that are handled.
func endLeases(t *testing.T, server *rpctest.RedisServer) {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: strings.TrimPrefix(server.URL, "redis://")})
	defer client.Close()
	for _, kind := range []async.Kind{async.Run, async.Deliver} {
		active, err := client.LRange(t.Context(), "asynq:{facet:"+string(kind)+"}:active", 0, -1).Result()
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range active {
			if err := client.ZAdd(t.Context(), "asynq:{facet:"+string(kind)+"}:lease", redis.Z{Score: float64(time.Now().Unix() - 60), Member: id}).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
