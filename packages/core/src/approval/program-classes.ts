import type { CommandClass } from '../contract/tool-spec.ts';

const names = (text: string) => text.trim().split(/\s+/);

/** Read whatever arguments they get: no option of theirs writes, connects or starts anything. */
export const pureReaders: ReadonlySet<string> = new Set(
  names(`
    ls dir vdir pwd echo head tail cat wc cut tr rev tac fold fmt expand unexpand paste join pr seq factor numfmt comm cmp
    basename dirname realpath readlink pathchk stat du df nl od hexdump hd readelf cksum sum md5sum sha1sum sha224sum sha256sum
    sha384sum sha512sum b2sum md5 base64 base32 basenc strings grep egrep fgrep whoami id groups who users w uptime logname tty
    uname arch nproc lscpu lsblk lsusb lsmod lsmem free vmstat iostat mpstat getconf locale printenv cal ncal which
    whereis type true false : sleep expr jq column ps pgrep pidof pstree tput clear times caller tsort look colrm
    zipinfo lsattr getfacl lsof last lastlog yes zcat gzcat bzcat xzcat lzcat zstdcat exa eza lsd tokei bc help findmnt
    namei lsb_release locate plocate getopt break continue return exit wait
  `),
);

/** Changes in the workspace or the shell that are neither lost work nor someone else's code. */
export const plainWriters: ReadonlySet<string> = new Set(
  names(`
    touch mkdir ln link install chgrp chattr setfacl csplit patch mktemp mkfifo mknod rename dos2unix unix2dos fallocate
    cd pushd popd alias unalias set shopt read mapfile readarray getopts shift disown bunzip2 gunzip unxz unlzma
    uncompress compress cpio ar ssh-keygen stty sponge tee trash-put timedatectl hwclock loginctl setterm newgrp
  `),
);

export const connectors: ReadonlySet<string> = new Set(
  names(`
    curl wget ssh scp sftp telnet ftp tftp ping ping6 dig nslookup host whois traceroute tracepath mtr nmap arping finger http
    https xh aria2c axel nc ncat netcat socat mail mailx sendmail rdate ntpdate redis-cli drill resolvectl speedtest
    aws gcloud az gsutil s3cmd rclone doctl heroku fly flyctl gh glab hub vercel netlify wrangler firebase hcloud b2 kubectl oc
    helm yt-dlp youtube-dl lftp rsh rlogin rcp
  `),
);

export const destroyers: ReadonlySet<string> = new Set(
  names(`
    rm rmdir unlink shred wipe srm wipefs mkfs mke2fs fdisk sfdisk cfdisk gdisk sgdisk parted blkdiscard mkswap pkill killall
    killall5 skill xkill shutdown reboot halt poweroff telinit dropdb dropuser userdel groupdel deluser delgroup lvremove
    vgremove pvremove debugfs badblocks hdparm atrm swapoff
  `),
);

/** Disk tools that no mode may run: nothing in a workspace needs them. */
export const diskTools: ReadonlySet<string> = new Set(
  names('mkfs mke2fs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard mkswap badblocks hdparm debugfs'),
);

export const shells: ReadonlySet<string> = new Set(
  names('sh bash dash zsh ksh mksh ash fish csh tcsh yash rbash pwsh'),
);

/** Programs that run code given to them in another language. */
export const interpreters: ReadonlySet<string> = new Set(
  names(`
    python python2 python3 pypy pypy3 perl ruby node nodejs deno bun php lua luajit Rscript R osascript tclsh wish groovy scala
    julia ghci runghc erl elixir iex irb jshell jjs octave sqlite3 psql mysql mariadb mongo mongosh cqlsh clickhouse-client
    duckdb sqlcmd gdb ed ex vi vim nvim emacs nano m4 dc expect
  `),
);

/** Programs that start the rest of their arguments; the number of operands in front of it and the options that take a value. */
export const launchers: Readonly<Record<string, { operands: number; valued: readonly string[]; floor: CommandClass }>> =
  {
    timeout: { operands: 1, valued: ['-s', '-k', '--signal', '--kill-after'], floor: 'read-only' },
    nice: { operands: 0, valued: ['-n', '--adjustment'], floor: 'read-only' },
    ionice: { operands: 0, valued: ['-c', '-n', '-p', '--class', '--classdata'], floor: 'read-only' },
    stdbuf: { operands: 0, valued: ['-i', '-o', '-e'], floor: 'read-only' },
    time: { operands: 0, valued: ['-f', '--format'], floor: 'read-only' },
    builtin: { operands: 0, valued: [], floor: 'read-only' },
    nohup: { operands: 0, valued: [], floor: 'writes' },
    setsid: { operands: 0, valued: [], floor: 'read-only' },
    taskset: { operands: 1, valued: [], floor: 'read-only' },
    chrt: { operands: 1, valued: [], floor: 'read-only' },
    toybox: { operands: 0, valued: [], floor: 'read-only' },
    busybox: { operands: 0, valued: [], floor: 'read-only' },
    screen: { operands: 0, valued: ['-S', '-t', '-c', '-s', '-h', '-T', '-e', '-p'], floor: 'executes' },
    coproc: { operands: 0, valued: [], floor: 'executes' },
    sudo: {
      operands: 0,
      valued: ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-T', '-U', '-D', '-R', '--user', '--group'],
      floor: 'executes',
    },
    doas: { operands: 0, valued: ['-u', '-C'], floor: 'executes' },
    watch: { operands: 0, valued: ['-n', '--interval'], floor: 'executes' },
    flock: { operands: 1, valued: ['-w', '-E'], floor: 'executes' },
    chroot: { operands: 1, valued: [], floor: 'executes' },
    strace: { operands: 0, valued: ['-o', '-e', '-p', '-s', '-a', '-E', '-u', '-P'], floor: 'executes' },
    ltrace: { operands: 0, valued: ['-o', '-e', '-p', '-s', '-u'], floor: 'executes' },
    valgrind: { operands: 0, valued: [], floor: 'executes' },
    unshare: { operands: 0, valued: [], floor: 'executes' },
    nsenter: { operands: 0, valued: ['-t'], floor: 'executes' },
    setarch: { operands: 1, valued: [], floor: 'executes' },
    numactl: { operands: 0, valued: [], floor: 'executes' },
    'systemd-run': { operands: 0, valued: ['-p', '-u'], floor: 'executes' },
    unbuffer: { operands: 0, valued: [], floor: 'executes' },
    'xvfb-run': { operands: 0, valued: ['-s', '-n'], floor: 'executes' },
    fakeroot: { operands: 0, valued: [], floor: 'executes' },
    firejail: { operands: 0, valued: [], floor: 'executes' },
    torsocks: { operands: 0, valued: [], floor: 'executes' },
    proxychains: { operands: 0, valued: ['-f'], floor: 'executes' },
    parallel: { operands: 0, valued: ['-j', '-P', '-n', '-N', '-L', '-a', '-S'], floor: 'executes' },
    runuser: { operands: 0, valued: ['-u', '-g'], floor: 'executes' },
    pkexec: { operands: 0, valued: ['--user'], floor: 'executes' },
    setpriv: { operands: 0, valued: [], floor: 'executes' },
    entr: { operands: 0, valued: [], floor: 'executes' },
  };

const long = ['--version'];
/** How programs are asked for their version. Not those that first look for one that the project pins: cargo, go, yarn, dotnet … */
export const versionOptions: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    names(`
      git gcc g++ clang clang++ cc make cmake ninja docker podman curl wget bash zsh vim nano pandoc ffmpeg git-lfs deno bun pip pip3
    `).map((name) => [name, long]),
  ),
  ...Object.fromEntries(names('node nodejs php ruby perl npm').map((name) => [name, [...long, '-v']])),
  ...Object.fromEntries(names('python python2 python3 psql mysql ssh').map((name) => [name, [...long, '-V']])),
  ...Object.fromEntries(names('java javac sqlite3').map((name) => [name, [...long, '-version']])),
};

/** Variables through which a harmless command runs other code. Names that cannot do that are listed, not the others. */
export const harmlessVariables =
  /^(LC_\w+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|COLUMNS|LINES|IFS|CI|POSIXLY_CORRECT|BLOCK_SIZE)$/;
/** Bash itself runs what these hold, or loads it into everything it starts. */
export const runningVariables =
  /^(PROMPT_COMMAND|PS0|PS1|PS2|PS4|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|LD_\w+|DYLD_\w+|BASH_FUNC\S*|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|GIT_\w+|NODE_OPTIONS|PYTHON\w*|PERL5?\w*|RUBY\w*|\w*_WRAPPER|GCONV_PATH)$/;

/** Folders whose programs are the system's own; a program elsewhere only bears the name. */
export const systemFolders: ReadonlySet<string> = new Set([
  '/bin',
  '/usr/bin',
  '/sbin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/opt/homebrew/bin',
]);

/** Paths whose loss takes the system or everything of a person along. */
export const rootPaths =
  /^(?:\/|\/\*|\/\.|~\/?|~\/\*|\$\{?HOME\}?\/?|\$\{?HOME\}?\/\*|\/(?:etc|usr|bin|sbin|lib|lib64|boot|var|home|root|dev|proc|sys|opt)(?:\/\*?)?)$/;
export const systemPath = /^\/(?:etc|usr|bin|sbin|lib|lib64|boot|var|root|dev|proc|sys|opt)(?:\/|$)|^\/$/;
export const diskDevice = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|dm-|mapper\/|loop|md)/;

/** Code in another language that removes or empties; a hint is enough, because it only makes the class worse. */
export const destructiveCode =
  /\b(?:unlink|rmtree|rmdir|removedirs|rm_rf|rm_r|rmSync|unlinkSync|rmdirSync|truncateSync|rimraf|remove_tree|delete_if_exists)\b|\b(?:os|shutil|fs|Path|File|FileUtils|Dir)\b[\w.()'"]*\.(?:remove|rm|unlink|rmdir|delete|truncate)\b|\brm\s+-|\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA|INDEX|VIEW|USER)\b|\bDELETE\s+FROM\b|\bdropDatabase\b|\bdrop\(\)|\bos\.kill\b|\bprocess\.kill\b/i;
