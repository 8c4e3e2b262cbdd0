#!/sbin/openrc-run
name="@NAME@"
description="@TITLE@"
supervisor=supervise-daemon
command=/usr/bin/@NAME@
command_args="serve --config @CONFIG@"
command_user="@NAME@:@NAME@"
# Ports below 1024 need capabilities="^cap_net_bind_service" in /etc/conf.d/@NAME@. It is not said here: an OpenRC that was built
# without them would not start the service at all.
umask=0077
# A port that is taken, a disk that is full: it is tried again until somebody has seen to it.
respawn_delay=5
respawn_max=0
# Stopping, it answers the requests it holds.
retry="TERM/30/KILL/5"
output_log=/var/log/@NAME@.log
error_log=/var/log/@NAME@.log

depend() {
	need localmount
	use net dns logger
	after firewall
}

start_pre() {
	checkpath --directory --owner @NAME@:@NAME@ --mode 0700 /var/lib/@NAME@
	checkpath --file --owner @NAME@:@NAME@ --mode 0640 /var/log/@NAME@.log
}
