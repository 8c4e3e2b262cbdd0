# make test: everything a change must pass, on a machine that has Go and nothing else. make quick: what to run after every save.
# make test-all: the same with every long campaign at full length. make stress ROUNDS=20: the tests on a machine that is busy.
# make outdated: which modules are behind.
# make crash: the service killed in payments. make kills: the service killed in sales. make bench: one table of ratios.
# make fleet-crash: everything between callers, hub and terminals goes wrong.
# make fleet TERMINALS=10000: a hub with so many terminals on this machine, one table.
# make load, make soak DURATION=1h: the service under many callers, and for long. make fuzz FUZZTIME=1m: every parser in turn.
# make windows: the program for Windows, run by Wine. make wine: only what runs it.
# make build: bin/maquininha and bin/maquininha-hub, stamped. make cross: the other platforms. make dist: everything that is published, in dist/.

# By their versions in tools/go.mod: asked for as package@version, Go asks the network at every run whether parts of the path are modules.
# Go only says where each is: where go tool runs it, one that was killed is a success.
tool = "$$(go tool -modfile="$(CURDIR)/tools/go.mod" -n $(1))"

VERSION := $(shell sed -n 's/.*Number = "\(.*\)"/\1/p' internal/version/version.go)
BUILD   := $(shell git rev-list --count HEAD 2>/dev/null || echo 0)

# Where the sources can be read: make dist REPOSITORY=https://… Pages and packages link there; empty, they link to no such place.
REPOSITORY =
SOURCES  = $(patsubst %/,%,$(REPOSITORY))
STAMP    = github.com/maquininha/maquininha/internal/version
LDFLAGS  = -s -w -X $(STAMP).Number=$(VERSION) -X $(STAMP).Build=$(BUILD) -X $(STAMP).Repository=$(SOURCES)

GOCODE = client clients cmd docs examples internal testserver

export CGO_ENABLED = 0

# What was compiled in one checkout need not be compiled again in another.
export GOFLAGS = -trimpath

# Only checks the types of the TypeScript client; nothing of it is built or shipped.
TYPESCRIPT  = typescript@5.9.3

.PHONY: test quick test-all stress outdated check format types openapi program beside unit systems cross screens guide-pictures windows crash fleet-crash kills powercuts load soak fuzz bench fleet build dist clean

# On a new machine packages come while the checks are compiled.
test:
	@$(MAKE) --no-print-directory -j2 check packages
	@$(MAKE) --no-print-directory -j2 beside unit || { code=$$?; cat $(BESIDE) 2>/dev/null; exit $$code; }

# What is checked while the tests run is shown when it is done and, where something is wrong, at the end: the tests have said much by then.
BESIDE = bin/test/beside.txt
beside:
	@mkdir -p $(dir $(BESIDE))
	@$(MAKE) --no-print-directory types systems >$(BESIDE) 2>&1
	@cat $(BESIDE); rm $(BESIDE)

# The compiler collects less often: a sixth of what it does is that. What is tested collects as it would.
check cross format program: export GOGC = 400

# Format, module file, vet and staticcheck; each says what it found.
check: format
	go mod tidy -diff
	go -C client mod tidy -diff
	go vet ./...
	go -C client vet ./...
	$(call tool,staticcheck) ./...
	cd client && $(call tool,staticcheck) ./...

format:
	@out=$$($(call tool,gofumpt) -l $(GOCODE)) || exit 1; if [ -n "$$out" ]; then echo "not formatted (go tool -modfile=tools/go.mod gofumpt -w $(GOCODE)):"; echo "$$out"; exit 1; fi

# Only what starts no other process, with temporary files in memory where that has two gigabytes (a container's has 64 MB); what has not changed since it passed is not run again.
quick: format
	go vet ./...
	go -C client vet ./...
	@TMPDIR="$(QUICKTEMP)" $(call tool,gotestsum) --format standard-quiet --hide-summary skipped -- -short -vet=off ./...

QUICKTEMP = $(shell [ "$$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 2000000 ] 2>/dev/null && echo /dev/shm || echo "$${TMPDIR:-/tmp}")

# What the TypeScript client promises against what it does, and the example against the promises.
types: languages
	@if command -v npm >/dev/null 2>&1; then echo "tsc clients/typescript"; npx --yes -p $(TYPESCRIPT) tsc -p clients/typescript; \
	  else echo "types of clients/typescript not checked: npm is missing"; fi

# What others' linters say of the descriptions.
SPECTRAL = @stoplight/spectral-cli@6.15.0
REDOCLY  = @redocly/cli@2.11.1
DESCRIPTIONS = internal/httpapi/apidoc/openapi.yaml internal/hub/httpapi/apidoc/openapi.yaml
openapi:
	@rules=$$(mktemp --suffix=.yaml) && echo 'extends: ["spectral:oas"]' >$$rules && npx --yes $(SPECTRAL) lint $(DESCRIPTIONS) --fail-severity warn -r $$rules; code=$$?; rm -f $$rules; exit $$code
	npx --yes $(REDOCLY) lint $(DESCRIPTIONS)

# The program that the tests start, built once for all of them, and the one that runs them.
TESTPROGRAM = $(CURDIR)/bin/test/maquininha
program:
	@go build -ldflags '-s -w' -o $(TESTPROGRAM) ./cmd/maquininha
	@go build -o bin/test/testrun ./internal/testrun

# A package a line while it goes; at the end the ten slowest tests or, when there are any, the failures.
TIMES  = bin/test/times.json
SHOWN = MAQUININHA_TEST_PROGRAM=$(TESTPROGRAM) $(call tool,gotestsum) --format standard-quiet --jsonfile-timing-events $(TIMES) --raw-command -- \
         bin/test/testrun
SLOWEST = @echo "the ten slowest:"; $(call tool,gotestsum) tool slowest --threshold 1ms --num 10 --jsonfile $(TIMES)

unit: packages program
	@$(SHOWN)
	$(SLOWEST)

test-all: check types packages processor program cross
	@$(SHOWN) -everything
	$(SLOWEST)
	@$(MAKE) --no-print-directory windows

ROUNDS = 20
stress: packages program
	MAQUININHA_TEST_PROGRAM=$(TESTPROGRAM) bin/test/testrun -stress $(ROUNDS) $(PACKAGES)

outdated:
	@tools/outdated.sh

# All that the tests need of the system, with one order: each by itself took half a minute more.
.PHONY: packages
packages:
	@tools/packages.sh browser compiler database languages machines network nsis printservers proxies

SYSTEM = browser compiler database languages machines network nsis printservers processor proxies
.PHONY: $(SYSTEM)
$(SYSTEM):
	@tools/packages.sh $@

# A machine of Windows in bin/windows, by Wine. To download: 162 MB (a gigabyte on the disk). Any package's tests
# run there: GOOS=windows go test -overlay bin/windows/overlay.json -exec $PWD/bin/windows/wine ./internal/printer
WINDOWS = $(CURDIR)/bin/windows
.PHONY: wine
wine:
	@tools/packages.sh nsis wine
	@internal/winetest/files/prepare.sh $(WINDOWS)

# The program for Windows on that machine: the tests of the packages that meet the system, compiled for it; the tests of integrators and those of
# winetest, from here, with the .exe behind MAQUININHA_TEST_PROGRAM; and the service killed in payments. WINDOWSKILLS=100 for more of that.
# That machine has no browser, which the variable CI would ask for.
WINDOWSKILLS = 20
# The installer's upgrades go from this version to that one, and back.
NEXTVERSION = 99.0.0
WINDOWSTESTS = ./internal/httpapi ./internal/store ./internal/receipt ./internal/daemon
ONWINDOWS = MAQUININHA_TEST_PROGRAM=$(WINDOWS)/maquininha MAQUININHA_TEST_WINDOWS=$(WINDOWS)
windows: wine
	@rm -rf $(WINDOWS)/dist
	go run ./internal/dist -short -only windows -out $(WINDOWS)/dist -version '$(VERSION)' -build '$(BUILD)' -ldflags '$(LDFLAGS)'
	@cp $(WINDOWS)/dist/maquininha-$(VERSION)-windows-amd64.exe $(WINDOWS)/maquininha.exe
	@cp $(WINDOWS)/dist/maquininha-$(VERSION)-windows-amd64-instalador.exe $(WINDOWS)/instalador.exe
	GOOS=windows go build -tags faults -ldflags '-s -w' -o $(WINDOWS)/mortal.exe ./cmd/maquininha
	GOOS=windows go build -ldflags '$(LDFLAGS) -X $(STAMP).Number=$(NEXTVERSION)' -o $(WINDOWS)/next.exe ./cmd/maquininha
	@for program in mortal next; do \
	  go run ./internal/dist -short -installer $(WINDOWS)/$$program.exe -version $(NEXTVERSION) -out $(WINDOWS)/instalador-$$program.exe || exit 1; done
	CI= GOOS=windows go test -vet=off -timeout 60m -overlay $(WINDOWS)/overlay.json -exec $(WINDOWS)/wine $(WINDOWSTESTS)
	GOOS=windows go test -vet=off -timeout 60m -overlay $(WINDOWS)/overlay.json -exec $(WINDOWS)/wine -run 'Windows|Queue|AJobThat' ./internal/printer
	$(ONWINDOWS) go test -count=1 -timeout 60m ./clients/golang ./internal/winetest
	go run ./internal/crash -acquirer emulator -stations 2 -kills $(WINDOWSKILLS) -program $(WINDOWS)/mortal

# Every screen at every size it is made for, to look at: screens/NAME-WIDTHxHEIGHT.png
screens: browser
	rm -rf screens
	MAQUININHA_SCREENS=$(CURDIR)/screens go test -count=1 -timeout 20m -run '^TestScreensOf' ./internal/screenui ./internal/hub/screenui

# The pictures of the guide, anew: look at them before they are committed.
guide-pictures: browser
	@tools/packages.sh pictures
	MAQUININHA_GUIDE_PICTURES=$(CURDIR)/docs/guia/img go test -count=1 -timeout 10m -run '^TestGuidePictures$$' ./internal/screenui
	for picture in docs/guia/img/*.png; do zopflipng -y --iterations=15 $$picture $$picture; done # they are in the program, which has a limit

# Types for the systems with files of their own: seconds of a processor, where to compile for Windows takes a new machine a hundred.
systems:
	@for target in windows/amd64 android/arm64; do echo "types for $$target"; go run ./internal/typecheck $$target ./cmd/... || exit 1; done

# It must build for every system it is made for: in make test-all.
TARGETS = windows/amd64 linux/arm64 android/arm64
cross:
	@for target in $(TARGETS); do \
	  echo "build $$target"; GOOS=$${target%/*} GOARCH=$${target#*/} $(ONLYTOSEE) ./cmd/maquininha || exit 1; done
	@for target in $(filter-out android/%,$(TARGETS)); do \
	  echo "build $$target, hub"; GOOS=$${target%/*} GOARCH=$${target#*/} $(ONLYTOSEE) ./cmd/maquininha-hub || exit 1; done
# Nothing runs these: without optimizing a new machine is done with them a fifth sooner.
ONLYTOSEE = go build -gcflags='all=-N -l' -ldflags=-s -o /dev/null

# The power goes 10,000 times under sale traffic: nothing acknowledged may be lost. Some half hour; KILLS=500 for less.
KILLS ?= 10000
kills: SHELL = bash
kills: .SHELLFLAGS = -o pipefail -c
kills:
	MAQUININHA_CRASH_ROUNDS=$(KILLS) go test -count=1 -v -timeout 3h -parallel 4 -run '^TestKilledAtAnyMoment$$' ./internal/app | grep -v '^=== '

# The service is killed a thousand times in the middle of payments and reversals; both ledgers are compared then. A short
# campaign is among the tests.
crash:
	go run ./internal/crash -kills 1000 $(CRASH)

# A thousand kills, pauses and cuts of terminals, links, hub and simulators under payments, reversals and questions through the hub; all
# books are compared then. FLEET=-postgres has the hub's records in a PostgreSQL, which is harmed too. A short campaign is among the tests.
fleet-crash:
	go run ./internal/fleetcrash -faults 1000 $(FLEET)

# The power goes with all that was not synced, three to five times a trial. A failure names the seed to run again.
TRIALS ?= 1000
powercuts:
	go test -count=1 -timeout 2h -v -run PowerLoss ./internal/store ./internal/payment -powerloss.trials=$(TRIALS)

bench:
	go run ./internal/bench

# The hub's own binary, terminals in a process of their own, a PostgreSQL of its own: some ten minutes. It needs ulimit -n 20000.
TERMINALS = 10000
fleet: browser database
	go run ./internal/fleetbench -terminals $(TERMINALS)

# 1,000 idle connections and 50 log streams while sales of 10,000 items are rung up and payments run.
load:
	go run ./internal/soak -load

# Mixed traffic at a fixed rate; fails when memory, goroutines, open files or answer times grow.
DURATION = 1h
RATE     = 100
soak:
	go run ./internal/soak -duration $(DURATION) -rate $(RATE)

# Every fuzz target in turn, for FUZZTIME each; goes on past a failure, and fails at the end when there was one. Inputs are
# made small only a little: the whole time would go into that.
FUZZTIME = 1m
fuzz:
	@failed=""; for file in $$(grep -rl '^func Fuzz' --include='*_test.go' cmd internal testserver | sort); do \
	  for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file); do \
	    echo "fuzz $${file%/*} $$target"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x ./$${file%/*} || failed="$$failed $${file%/*}:$$target"; \
	  done; done; if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

build:
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/maquininha ./cmd/maquininha-hub

# Binaries, packages and their sums; the same commit makes the same bytes.
dist: nsis
	go run ./internal/dist -out dist -version '$(VERSION)' -build '$(BUILD)' -repository '$(SOURCES)' -ldflags '$(LDFLAGS)' -time "$$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)"
	@cd dist && sha256sum --check --quiet SHA256SUMS && ls -lh

clean:
	rm -rf bin screens dist
